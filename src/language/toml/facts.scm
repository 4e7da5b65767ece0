; TOML. The captures are explained in ../treesitter/README.md.

(comment) @comment

(table . [(bare_key) (quoted_key) (dotted_key)] @name) @def.table
(table_array_element . [(bare_key) (quoted_key) (dotted_key)] @name) @def.table
(table . (_) . (pair) @body) @def.table
(table_array_element . (_) . (pair) @body) @def.table

(document (pair . (_) @name) @def.key)
(table (pair . (_) @name) @def.key)
(table_array_element (pair . (_) @name) @def.key)

; A package that lies beside this one
((inline_table (pair . (bare_key) @_key . (string) @module) @import) (#eq? @_key "path") (#set! style "path"))
