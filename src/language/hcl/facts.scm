; HCL: Terraform, Nomad and others. The captures are explained in ../treesitter/README.md.

(comment) @comment

; A block is named as expressions name it: by its last label, in what stands before that.
(config_file (body (block
  . (identifier) . (string_lit (template_literal) @container) . (string_lit (template_literal) @name) . (block_start)) @def.block))
(config_file (body (block
  . (identifier) @container . [(string_lit (template_literal) @name) (identifier) @name] . (block_start)) @def.block))
(config_file (body (block . (identifier) @name . (block_start)) @def.block))
(config_file (body (block (block_start) . (body) @body) @def.block))

(config_file (body (attribute . (identifier) @name) @def.key))
(config_file (body (block (body (attribute . (identifier) @name) @def.key))))

; Other configurations
((block . (identifier) @_word (body (attribute . (identifier) @_key (expression (literal_value (string_lit (template_literal) @module)))))) @import
  (#eq? @_word "module") (#eq? @_key "source") (#set! style "module"))

; References: `var.name`, `module.name`, `aws_instance.name`, `data.aws_ami.name`
((_ (variable_expr (identifier) @_data) . (get_attr (identifier) @receiver) . (get_attr (identifier) @ref.use))
  (#eq? @_data "data"))
((_ (variable_expr (identifier) @receiver) . (get_attr (identifier) @ref.use))
  (#not-any-of? @receiver "count" "data" "each" "path" "self" "terraform"))
