; Go. The captures are explained in ../treesitter/README.md.

(comment) @comment
(package_clause (package_identifier) @package)

; Definitions
(function_declaration name: (identifier) @name result: (_)? @type body: (block)? @body) @def.function

(method_declaration
  receiver: (parameter_list (parameter_declaration
    type: [
      (type_identifier) @container
      (pointer_type (type_identifier) @container)
      (generic_type type: (type_identifier) @container)
      (pointer_type (generic_type type: (type_identifier) @container))
    ]))
  name: (field_identifier) @name
  result: (_)? @type
  body: (block)? @body) @def.method

(type_declaration (type_spec name: (type_identifier) @name type: (struct_type (field_declaration_list) @body))) @def.struct
(type_declaration (type_spec name: (type_identifier) @name type: (interface_type) @body)) @def.interface
(type_declaration (type_spec name: (type_identifier) @name type: (_) @type)) @def.type
(type_declaration (type_alias name: (type_identifier) @name type: (_) @type)) @def.type
(interface_type (method_elem name: (field_identifier) @name result: (_)? @type) @def.method)
(field_declaration name: (field_identifier) @name type: (_) @type) @def.field

(source_file (const_declaration (const_spec name: (identifier) @name type: (_)? @type) @def.constant))
(source_file (var_declaration (var_spec name: (identifier) @name type: (_)? @type value: (expression_list . (_) @value .)?) @def.variable))
(source_file (var_declaration (var_spec_list (var_spec name: (identifier) @name type: (_)? @type value: (expression_list . (_) @value .)?) @def.variable)))

; Names that functions bind
(func_literal) @scope
(_ parameters: (parameter_list (parameter_declaration name: (identifier) @param type: (_) @type)))
(_ parameters: (parameter_list (variadic_parameter_declaration name: (identifier) @param type: (_) @type)))
(method_declaration receiver: (parameter_list (parameter_declaration name: (identifier) @local type: (_) @type)))
(type_parameter_declaration name: (identifier) @local)
(short_var_declaration left: (expression_list (identifier) @local) right: (expression_list . (composite_literal type: (_) @type) .))
(short_var_declaration left: (expression_list (identifier) @local) right: (expression_list . (unary_expression operand: (composite_literal type: (_) @type)) .))
(short_var_declaration left: (expression_list (identifier) @local) right: (expression_list . (_) @value .))
(short_var_declaration left: (expression_list (identifier) @local))
(assignment_statement left: (expression_list (identifier) @local) right: (expression_list . (call_expression) @value .))
(block (statement_list (var_declaration (var_spec name: (identifier) @local type: (_)? @type value: (expression_list . (_) @value .)?))))
(block (statement_list (const_declaration (const_spec name: (identifier) @local))))
(range_clause left: (expression_list (identifier) @local))
(range_clause left: (expression_list (_) . (identifier) @local .) right: (_) @elements)
(type_switch_statement alias: (expression_list (identifier) @local))
(receive_statement left: (expression_list (identifier) @local))

; Imports
(import_spec path: (_) @module !name) @import
(import_spec name: (package_identifier) @alias path: (_) @module) @import
((import_spec name: (dot) path: (_) @module) @import (#set! name "*"))
((import_spec name: (blank_identifier) path: (_) @module) @import (#set! style "effect"))

; Calls
(call_expression function: (identifier) @name arguments: (argument_list) @args) @call
(call_expression function: (selector_expression operand: (_) @receiver field: (field_identifier) @name) arguments: (argument_list) @args) @call
(call_expression function: (parenthesized_expression (identifier) @name) arguments: (argument_list) @args) @call

; Embedding is how Go inherits
(field_declaration !name type: [
  (type_identifier) @ref.inherit
  (pointer_type (type_identifier) @ref.inherit)
  (qualified_type package: (package_identifier) @receiver name: (type_identifier) @ref.inherit)
])
(interface_type (type_elem . (type_identifier) @ref.inherit .))
(interface_type (type_elem . (qualified_type package: (package_identifier) @receiver name: (type_identifier) @ref.inherit) .))

; Other names
(qualified_type package: (package_identifier) @receiver name: (type_identifier) @ref.type)
((type_identifier) @ref.type (#not-any-of? @ref.type
  "any" "bool" "byte" "complex64" "complex128" "error" "float32" "float64" "int" "int8" "int16" "int32" "int64"
  "rune" "string" "uint" "uint8" "uint16" "uint32" "uint64" "uintptr"))
(selector_expression operand: (_) @receiver field: (field_identifier) @ref.use)
((identifier) @ref.use (#not-any-of? @ref.use "_" "nil" "true" "false" "iota"))
