; Lua. The captures are explained in ../treesitter/README.md.

(comment) @comment

; Functions: global, local, members of a table, set to a name or a field.
(function_declaration name: (identifier) @name body: (block)? @body) @def.function
(function_declaration name: (dot_index_expression table: (_) @container field: (identifier) @name) body: (block)? @body) @def.function
(function_declaration name: (method_index_expression table: (_) @container method: (identifier) @name) body: (block)? @body) @def.method
(assignment_statement
  (variable_list . name: (dot_index_expression table: (_) @container field: (identifier) @name) .)
  (expression_list . value: (function_definition body: (block)? @body) .)) @def.function
(chunk (assignment_statement
  (variable_list . name: (identifier) @name .)
  (expression_list . value: (function_definition body: (block)? @body) .)) @def.function)
(block (assignment_statement
  (variable_list . name: (identifier) @name .)
  (expression_list . value: (function_definition body: (block)? @body) .)) @def.function)
(variable_declaration (assignment_statement
  (variable_list . name: (identifier) @name .)
  (expression_list . value: (function_definition body: (block)? @body) .))) @def.function
(field name: (identifier) @name value: (function_definition body: (block)? @body)) @def.method

; A table that is its own index, or that looks in another one, is a class.
((chunk
  (variable_declaration (assignment_statement (variable_list . name: (identifier) @name @exported .))) @def.class
  . (assignment_statement (variable_list . name: (dot_index_expression table: (identifier) @_table field: (identifier) @_field) .)))
  (#eq? @_field "__index")
  (#eq? @_table @name))
((chunk (variable_declaration (assignment_statement
  (variable_list . name: (identifier) @name @exported .)
  (expression_list . (function_call
    name: (identifier) @_function
    arguments: (arguments (_) . (table_constructor (field name: (identifier) @_field)))) .))) @def.class)
  (#eq? @_function "setmetatable")
  (#eq? @_field "__index"))

; Other files see what is global and the members of tables. The local that a file returns cannot be
; told here at a fair price; a local that starts as an empty table mostly is that one.
((function_declaration "function" @exported) @def.function (#match? @def.function "^function"))
(chunk (assignment_statement . (variable_list) @exported) @def.variable)
(chunk [
  (variable_declaration (assignment_statement (expression_list (table_constructor (field name: (identifier) @exported) @def.field))))
  (assignment_statement (expression_list (table_constructor (field name: (identifier) @exported) @def.field)))
  (return_statement (expression_list (table_constructor (field name: (identifier) @exported) @def.field)))
])
(chunk (variable_declaration (assignment_statement (expression_list . (table_constructor . "{" . "}") @exported .))) @def.variable)

; Variables of the file; what `require` gives is an import.
((chunk (variable_declaration (assignment_statement
  (variable_list . name: (identifier) @name .)
  (expression_list . value: (_) @value .))) @def.variable)
  (#not-match? @value "^require\\W"))
(chunk (variable_declaration (assignment_statement (variable_list name: (identifier) @name . (_)))) @def.variable)
(chunk (variable_declaration (assignment_statement (variable_list (_) . name: (identifier) @name))) @def.variable)
(chunk (variable_declaration (variable_list name: (identifier) @name)) @def.variable)
((chunk (assignment_statement
  (variable_list . name: (identifier) @name .)
  (expression_list . value: (_) @value .)) @def.variable)
  (#not-match? @value "^require\\W"))
((chunk (assignment_statement
  (variable_list . name: (dot_index_expression table: (identifier) @container field: (identifier) @name) .)
  (expression_list . value: (_) @value .)) @def.field)
  (#not-eq? @name "__index"))
(chunk (variable_declaration (assignment_statement (expression_list (table_constructor
  (field name: (identifier) @name) @def.field)))))
(chunk (assignment_statement (expression_list (table_constructor (field name: (identifier) @name) @def.field))))
(chunk (return_statement (expression_list (table_constructor (field name: (identifier) @name) @def.field))))
(chunk (return_statement (expression_list . (identifier) @name .)) @export)

; Names that functions and loops bind
(arguments (function_definition) @scope)
(return_statement (expression_list (function_definition) @scope))
(binary_expression (function_definition) @scope)
(parenthesized_expression (function_definition) @scope)
(field !name value: (function_definition) @scope)
(field name: [(string) (number) (binary_expression) (dot_index_expression)] value: (function_definition) @scope)
(assignment_statement (variable_list . name: (bracket_index_expression)) (expression_list (function_definition) @scope))
(chunk (for_statement) @scope)
(parameters name: (identifier) @param)
((block (variable_declaration (assignment_statement
  (variable_list . name: (identifier) @local .)
  (expression_list . value: (function_call name: (identifier) @_function arguments: (arguments (_) . (identifier) @type .)) .))))
  (#eq? @_function "setmetatable"))
((block (variable_declaration (assignment_statement
  (variable_list . name: (identifier) @local .)
  (expression_list . value: (_) @value .))))
  (#not-match? @value "^(require|setmetatable)\\W"))
(block (variable_declaration (assignment_statement (variable_list name: (identifier) @local . (_)))))
(block (variable_declaration (assignment_statement (variable_list (_) . name: (identifier) @local))))
(block (variable_declaration (variable_list name: (identifier) @local)))
((block (variable_declaration (assignment_statement
  (variable_list . name: (identifier) @local .)
  (expression_list . value: (function_call name: (identifier) @_function arguments: (arguments (_) . (table_constructor) .)) .))))
  (#eq? @_function "setmetatable"))
(for_generic_clause (variable_list name: (identifier) @local))
(for_numeric_clause name: (identifier) @local)

; Imports
((variable_declaration (assignment_statement
  (variable_list . name: (identifier) @alias .)
  (expression_list . value: (function_call name: (identifier) @_function arguments: (arguments . (string) @module .)) .))) @import
  (#eq? @_function "require") (#set! style "require"))
((variable_declaration (assignment_statement
  (variable_list . name: (identifier) @alias .)
  (expression_list . value: (dot_index_expression
    table: (function_call name: (identifier) @_function arguments: (arguments . (string) @module .))
    field: (identifier) @name) .))) @import
  (#eq? @_function "require") (#set! style "require"))
((chunk (assignment_statement
  (variable_list . name: (identifier) @alias .)
  (expression_list . value: (function_call name: (identifier) @_function arguments: (arguments . (string) @module .)) .)) @import)
  (#eq? @_function "require") (#set! style "require"))
([
  (chunk (function_call name: (identifier) @_function arguments: (arguments . (string) @module .)) @import)
  (block (function_call name: (identifier) @_function arguments: (arguments . (string) @module .)) @import)
  (arguments (function_call name: (identifier) @_function arguments: (arguments . (string) @module .)) @import)
  (field (function_call name: (identifier) @_function arguments: (arguments . (string) @module .)) @import)
  (return_statement (expression_list (function_call name: (identifier) @_function arguments: (arguments . (string) @module .)) @import))
  (method_index_expression (function_call name: (identifier) @_function arguments: (arguments . (string) @module .)) @import)
  (function_call name: (dot_index_expression (function_call name: (identifier) @_function arguments: (arguments . (string) @module .)) @import))
  (assignment_statement
    (variable_list . (dot_index_expression))
    (expression_list (function_call name: (identifier) @_function arguments: (arguments . (string) @module .)) @import))
] (#eq? @_function "require") (#set! style "require"))
((function_call name: (identifier) @_function arguments: (arguments . (string) @module .)) @import
  (#any-of? @_function "dofile" "loadfile") (#set! style "dofile"))

; Calls
((function_call name: (identifier) @name arguments: (arguments) @args) @call
  (#not-any-of? @name
    "assert" "dofile" "error" "getmetatable" "ipairs" "loadfile" "next" "pairs" "pcall" "print" "rawequal" "rawget" "rawlen"
    "rawset" "require" "select" "setmetatable" "tonumber" "tostring" "type" "unpack" "xpcall"))
(function_call name: (dot_index_expression table: (_) @receiver field: (identifier) @name) arguments: (arguments) @args) @call
(function_call name: (method_index_expression table: (_) @receiver method: (identifier) @name) arguments: (arguments) @args) @call

; A metatable whose `__index` is another class is how Lua inherits.
((function_call name: (identifier) @_function arguments: (arguments (_) . (table_constructor
  (field name: (identifier) @_field value: (identifier) @ref.inherit))))
  (#eq? @_function "setmetatable") (#eq? @_field "__index") (#not-eq? @ref.inherit "self"))

; Other names: every place of an expression but the keys of tables.
((dot_index_expression table: (_) @receiver field: (identifier) @ref.use)
  (#not-match? @receiver "^require\\W"))
([
  (arguments (identifier) @ref.use)
  (expression_list (identifier) @ref.use)
  (variable_list (identifier) @ref.use)
  (binary_expression (identifier) @ref.use)
  (unary_expression (identifier) @ref.use)
  (parenthesized_expression (identifier) @ref.use)
  (field value: (identifier) @ref.use)
  (dot_index_expression table: (identifier) @ref.use)
  (method_index_expression table: (identifier) @ref.use)
  (bracket_index_expression (identifier) @ref.use)
  (for_numeric_clause [start: (identifier) end: (identifier) step: (identifier)] @ref.use)
  (_ condition: (identifier) @ref.use)
] (#not-any-of? @ref.use "self" "_" "_G" "_ENV" "print" "pairs" "ipairs" "type" "tostring" "tonumber"))
