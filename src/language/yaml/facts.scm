; YAML. The captures are explained in ../treesitter/README.md.

(comment) @comment

; Keys of the first two levels, in every document of the file
(document (block_node (block_mapping (block_mapping_pair key: (flow_node) @name) @def.key)))
(document (block_node (block_mapping (block_mapping_pair value: (block_node) @body) @def.key)))
(document (block_node (block_mapping (block_mapping_pair value: (block_node (block_mapping
  (block_mapping_pair key: (flow_node) @name) @def.key))))))
(document (block_node (block_mapping (block_mapping_pair value: (block_node (block_mapping
  (block_mapping_pair value: (block_node) @body) @def.key))))))
(document (block_node (block_mapping (block_mapping_pair value: (flow_node (flow_mapping
  (flow_pair key: (flow_node) @name) @def.key))))))
(document (flow_node (flow_mapping (flow_pair key: (flow_node) @name) @def.key)))

; A list of named things: plays and tasks of Ansible, resources of a template
((document (block_node (block_sequence (block_sequence_item (block_node (block_mapping
  (block_mapping_pair key: (flow_node) @_key value: (flow_node) @name)))) @def.block)))
  (#eq? @_key "name"))
(document (block_node (block_sequence (block_sequence_item (block_node (block_mapping . (_) . (_) @body))) @def.block)))

; Anchors and where they are used
(block_node (anchor (anchor_name) @name) . (_) @body) @def.variable
(flow_node (anchor (anchor_name) @name)) @def.variable
(alias (alias_name) @ref.use)

; Other files
((block_mapping_pair key: (flow_node) @_key value: (flow_node [(plain_scalar) (single_quote_scalar) (double_quote_scalar)] @module)) @import
  (#any-of? @_key "uses" "$ref" "import_playbook" "import_tasks" "include_tasks")
  (#not-match? @module "^['\"]?#"))
((document (block_node (block_mapping (block_mapping_pair
    key: (flow_node) @_key value: (flow_node [(plain_scalar) (single_quote_scalar) (double_quote_scalar)] @module)) @import)))
  (#any-of? @_key "extends" "include")
  (#set! style "include"))
