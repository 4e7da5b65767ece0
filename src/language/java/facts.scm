; Java. The captures are explained in ../treesitter/README.md.

[(line_comment) (block_comment)] @comment
(package_declaration [(identifier) (scoped_identifier)] @package)

; Definitions. Annotations and modifiers stand inside them.
(class_declaration name: (identifier) @name body: (class_body) @body) @def.class
(record_declaration name: (identifier) @name body: (class_body) @body) @def.class
(interface_declaration name: (identifier) @name body: (interface_body) @body) @def.interface
(annotation_type_declaration name: (identifier) @name body: (annotation_type_body) @body) @def.interface
(enum_declaration name: (identifier) @name body: (enum_body) @body) @def.enum
(enum_constant name: (identifier) @name body: (class_body)? @body) @def.enumMember
(constructor_declaration name: (identifier) @name body: (_) @body) @def.constructor
(compact_constructor_declaration name: (identifier) @name body: (_) @body) @def.constructor
(method_declaration type: (_) @type name: (identifier) @name body: (block)? @body) @def.method
(annotation_type_element_declaration type: (_) @type name: (identifier) @name) @def.method
(field_declaration (modifiers "static" "final") type: (_) @type
  declarator: (variable_declarator name: (identifier) @name value: (_)? @value)) @def.constant
(field_declaration (modifiers "final" "static") type: (_) @type
  declarator: (variable_declarator name: (identifier) @name value: (_)? @value)) @def.constant
(constant_declaration type: (_) @type declarator: (variable_declarator name: (identifier) @name value: (_)? @value)) @def.constant
(field_declaration type: (_) @type declarator: (variable_declarator name: (identifier) @name value: (_)? @value)) @def.field
(record_declaration parameters: (formal_parameters (formal_parameter type: (_) @type name: (identifier) @name) @def.field @exported))
(module_declaration name: (_) @name body: (module_body) @body) @def.namespace

; Visible to other files. What an interface holds is public without a word.
(_ (modifiers ["public" "protected"]) @exported name: (identifier) @name) @def.class
(_ (modifiers ["public" "protected"]) @exported declarator: (variable_declarator name: (identifier) @name)) @def.field
(interface_body (_ name: (identifier) @name) @def.method) @exported
(interface_body (constant_declaration declarator: (variable_declarator name: (identifier) @name)) @def.constant) @exported
(annotation_type_body (_ name: (identifier) @name) @def.method) @exported
(enum_declaration (modifiers ["public" "protected"]) @exported body: (enum_body (enum_constant name: (identifier) @name) @def.enumMember))

; Imports
((import_declaration "static" (scoped_identifier scope: (_) @module name: (identifier) @name) .) @import (#set! style "static"))
((import_declaration "static" (_) @module (asterisk)) @import (#set! style "static") (#set! name "*"))
(import_declaration (scoped_identifier scope: (_) @module name: (identifier) @name) .) @import
((import_declaration (_) @module (asterisk)) @import (#set! name "*"))
((requires_module_directive module: (_) @module) @import (#set! style "requires"))
((exports_module_directive package: (_) @module) @export (#set! style "exports"))

; Where names are bound
[
  (lambda_expression)
  (block)
  (for_statement)
  (enhanced_for_statement)
  (catch_clause)
  (try_with_resources_statement)
  (switch_rule)
  (switch_block_statement_group)
] @scope
[
  (class_declaration type_parameters: (_))
  (interface_declaration type_parameters: (_))
  (record_declaration type_parameters: (_))
] @scope
(type_parameter . (type_identifier) @local)

(method_declaration parameters: (formal_parameters (formal_parameter type: (_) @type name: (identifier) @param)))
(constructor_declaration parameters: (formal_parameters (formal_parameter type: (_) @type name: (identifier) @param)))
(method_declaration parameters: (formal_parameters (spread_parameter (_) @type . (variable_declarator name: (identifier) @param))))
(constructor_declaration parameters: (formal_parameters (spread_parameter (_) @type . (variable_declarator name: (identifier) @param))))
; A lambda's parameters come from whoever calls it, so they carry nothing of the method around it.
(lambda_expression parameters: (identifier) @local)
(lambda_expression parameters: (inferred_parameters (identifier) @local))
(lambda_expression parameters: (formal_parameters (formal_parameter type: (_) @type name: (identifier) @local)))

((local_variable_declaration type: (_) @type declarator: (variable_declarator name: (identifier) @local)) (#not-eq? @type "var"))
(local_variable_declaration declarator: (variable_declarator name: (identifier) @local value: (_)? @value))
((local_variable_declaration type: (_) @_var declarator: (variable_declarator name: (identifier) @local
  value: (object_creation_expression type: (_) @type))) (#eq? @_var "var"))
((enhanced_for_statement type: (_) @type name: (identifier) @local) (#not-eq? @type "var"))
(enhanced_for_statement name: (identifier) @local value: (_) @elements)
((resource type: (_) @type name: (identifier) @local) (#not-eq? @type "var"))
(resource name: (identifier) @local value: (_) @value)
(catch_formal_parameter (catch_type) @type name: (identifier) @local)
(instanceof_expression right: (_) @type name: (identifier) @local)
(type_pattern (_) @type . (identifier) @local)
((record_pattern_component (_) @type . (identifier) @local) (#not-eq? @type "var"))
(record_pattern_component (identifier) @local .)

; Calls and constructions
((method_invocation !object name: (identifier) @name arguments: (argument_list) @args) @call (#set! apart ""))
(explicit_constructor_invocation constructor: [(this) (super)] @name arguments: (argument_list) @args) @call
(method_invocation object: (_) @receiver name: (identifier) @name arguments: (argument_list) @args) @call
(object_creation_expression type: [
    (type_identifier) @name
    (generic_type (type_identifier) @name)
    (scoped_type_identifier (_) @receiver . (type_identifier) @name)
    (generic_type (scoped_type_identifier (_) @receiver . (type_identifier) @name))
  ] arguments: (argument_list) @args) @call

; Bases
([
  (superclass [
    (type_identifier) @ref.inherit
    (generic_type (type_identifier) @ref.inherit)
    (scoped_type_identifier (_) @receiver . (type_identifier) @ref.inherit)
    (generic_type (scoped_type_identifier (_) @receiver . (type_identifier) @ref.inherit))
  ])
  (super_interfaces (type_list [
    (type_identifier) @ref.inherit
    (generic_type (type_identifier) @ref.inherit)
    (scoped_type_identifier (_) @receiver . (type_identifier) @ref.inherit)
    (generic_type (scoped_type_identifier (_) @receiver . (type_identifier) @ref.inherit))
  ]))
  (extends_interfaces (type_list [
    (type_identifier) @ref.inherit
    (generic_type (type_identifier) @ref.inherit)
    (scoped_type_identifier (_) @receiver . (type_identifier) @ref.inherit)
    (generic_type (scoped_type_identifier (_) @receiver . (type_identifier) @ref.inherit))
  ]))
])

; Other names
(scoped_type_identifier (_) @receiver . (type_identifier) @ref.type)
((type_identifier) @ref.type (#not-any-of? @ref.type
  "var" "Boolean" "Byte" "Character" "Double" "Float" "Integer" "Long" "Object" "Short" "String" "Void"))
([
  (marker_annotation name: (identifier) @ref.type)
  (annotation name: (identifier) @ref.type)
] (#not-any-of? @ref.type "Deprecated" "FunctionalInterface" "Override" "SafeVarargs" "SuppressWarnings"))
(marker_annotation name: (scoped_identifier scope: (_) @receiver name: (identifier) @ref.type))
(annotation name: (scoped_identifier scope: (_) @receiver name: (identifier) @ref.type))
; A name in mixed case before a dot is a type, one in capitals a constant.
([
  (method_invocation object: (identifier) @ref.type)
  (field_access object: (identifier) @ref.type)
  (method_reference . (identifier) @ref.type)
] (#match? @ref.type "^[A-Z][A-Za-z0-9_]*[a-z]") (#not-any-of? @ref.type
  "Boolean" "Byte" "Character" "Double" "Float" "Integer" "Long" "Object" "Short" "String"))
(record_pattern . (identifier) @ref.type)
(field_access object: (_) @receiver field: (identifier) @ref.use)
(method_reference . (_) @receiver (identifier) @ref.use .)
(assignment_expression left: (identifier) @ref.use)
(primary_expression/identifier) @ref.use
