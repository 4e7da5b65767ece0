; JSON and its dialects. The captures are explained in ../treesitter/README.md.
;
; Only keys of the first two levels are named: data files are large, and deeper keys name nothing that
; anyone looks for by name.

(comment) @comment

(document (object (pair key: (string (string_content) @name)) @def.key))
(document (object (pair value: [(object) (array)] @body) @def.key))
(document (object (pair value: (object (pair key: (string (string_content) @name)) @def.key))))
(document (object (pair value: (object (pair value: [(object) (array)] @body) @def.key))))

; Files that a configuration or a schema builds on
((document (object (pair key: (string (string_content) @_key) value: (string (string_content) @module)) @import))
  (#eq? @_key "extends") (#set! style "extends"))
((document (object (pair key: (string (string_content) @_key) value: (array (string (string_content) @module))) @import))
  (#eq? @_key "extends") (#set! style "extends"))
((pair key: (string (string_content) @_key) value: (string (string_content) @module)) @import
  (#eq? @_key "$ref") (#not-match? @module "^#") (#set! style "ref"))
