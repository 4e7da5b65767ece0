; C#. The captures are explained in ../treesitter/README.md.

(comment) @comment
(file_scoped_namespace_declaration name: (_) @package)

; Definitions. Attributes and modifiers stand inside them.
(namespace_declaration name: (_) @name body: (_) @body) @def.namespace
(class_declaration name: (identifier) @name body: (_)? @body) @def.class
(record_declaration name: (identifier) @name body: (_)? @body) @def.class
(struct_declaration name: (identifier) @name body: (_)? @body) @def.struct
(interface_declaration name: (identifier) @name body: (_)? @body) @def.interface
(enum_declaration name: (identifier) @name body: (_)? @body) @def.enum
(enum_member_declaration name: (identifier) @name) @def.enumMember
(delegate_declaration type: (_) @type name: (identifier) @name) @def.type
(method_declaration returns: (_) @type name: (identifier) @name body: (_)? @body) @def.method
(local_function_statement type: (_) @type name: (identifier) @name body: (_)? @body) @def.function
(constructor_declaration name: (identifier) @name body: (_)? @body) @def.constructor
(destructor_declaration name: (identifier) @name body: (_)? @body) @def.method
(operator_declaration type: (_) @type operator: _ @name body: (_)? @body) @def.method
(conversion_operator_declaration type: (_) @name @type body: (_)? @body) @def.method
; Accessors without code are no body: `int Count { get; }` is a declaration.
(property_declaration type: (_) @type name: (identifier) @name) @def.property
(property_declaration name: (identifier) @name accessors: (accessor_list (accessor_declaration body: (_))) @body) @def.property
(property_declaration name: (identifier) @name value: (arrow_expression_clause) @body) @def.property
(indexer_declaration type: (_) @type "this" @name) @def.property
(indexer_declaration "this" @name accessors: (accessor_list (accessor_declaration body: (_))) @body) @def.property
(indexer_declaration "this" @name value: (_) @body) @def.property
(event_declaration type: (_) @type name: (identifier) @name accessors: (_)? @body) @def.property
(event_field_declaration (variable_declaration type: (_) @type (variable_declarator name: (identifier) @name))) @def.field
((field_declaration (modifier) @_const (variable_declaration type: (_) @type (variable_declarator name: (identifier) @name))) @def.constant
  (#eq? @_const "const"))
(field_declaration (variable_declaration type: (_) @type (variable_declarator name: (identifier) @name . (_)? @value))) @def.field
(record_declaration (parameter_list (parameter type: (_) @type name: (identifier) @name) @def.field @exported))
(global_statement (local_declaration_statement (variable_declaration type: (_) @type
  (variable_declarator name: (identifier) @name . (_)? @value)))) @def.variable

; Visible to other files: by a word, or without one at the top, in an interface or an enum.
((_ (modifier) @exported) @def.class (#any-of? @exported "public" "internal" "protected"))
(compilation_unit [
  (class_declaration) (record_declaration) (struct_declaration) (interface_declaration) (enum_declaration) (delegate_declaration)
] @def.class) @exported
(namespace_declaration body: (declaration_list [
  (class_declaration) (record_declaration) (struct_declaration) (interface_declaration) (enum_declaration) (delegate_declaration)
] @def.class)) @exported
(interface_declaration body: (declaration_list (_) @def.method)) @exported
(enum_member_declaration) @def.enumMember @exported

; Imports: a namespace or the members of a type, all of them; or one type under another name.
((using_directive "static" [(identifier) (qualified_name)] @module) @import (#set! style "static") (#set! name "*"))
((using_directive "global" !name [(identifier) (qualified_name) (alias_qualified_name)] @module) @import (#set! name "*") (#set! style "global"))
((using_directive !name [(identifier) (qualified_name) (alias_qualified_name)] @module) @import (#set! name "*"))
(using_directive name: (identifier) @alias (_) @module) @import

; Where names are bound
[
  (block)
  (lambda_expression)
  (anonymous_method_expression)
  (for_statement)
  (foreach_statement)
  (using_statement)
  (fixed_statement)
  (catch_clause)
  (switch_section)
  (switch_expression_arm)
  (query_expression)
] @scope
[
  (class_declaration (type_parameter_list))
  (class_declaration (parameter_list))
  (struct_declaration (type_parameter_list))
  (struct_declaration (parameter_list))
  (record_declaration (type_parameter_list))
  (interface_declaration type_parameters: (_))
  (delegate_declaration)
] @scope
(type_parameter name: (identifier) @local)

(method_declaration parameters: (parameter_list (parameter type: (_) @type name: (identifier) @param)))
(constructor_declaration parameters: (parameter_list (parameter type: (_) @type name: (identifier) @param)))
(local_function_statement parameters: (parameter_list (parameter type: (_) @type name: (identifier) @param)))
(operator_declaration parameters: (parameter_list (parameter type: (_) @type name: (identifier) @param)))
(conversion_operator_declaration parameters: (parameter_list (parameter type: (_) @type name: (identifier) @param)))
(indexer_declaration parameters: (bracketed_parameter_list (parameter type: (_) @type name: (identifier) @param)))
(_ parameters: (parameter_list type: (_) @type name: (identifier) @param))
(delegate_declaration parameters: (parameter_list (parameter name: (identifier) @local)))
(class_declaration (parameter_list (parameter type: (_) @type name: (identifier) @local)))
(struct_declaration (parameter_list (parameter type: (_) @type name: (identifier) @local)))
; A lambda's parameters come from whoever calls it, so they carry nothing of the method around it.
(implicit_parameter) @local
(lambda_expression parameters: (parameter_list (parameter type: (_)? @type name: (identifier) @local)))
(anonymous_method_expression parameters: (parameter_list (parameter type: (_) @type name: (identifier) @local)))

([
  (local_declaration_statement (variable_declaration type: (_) @type (variable_declarator name: (identifier) @local)))
  (for_statement initializer: (variable_declaration type: (_) @type (variable_declarator name: (identifier) @local)))
  (using_statement (variable_declaration type: (_) @type (variable_declarator name: (identifier) @local)))
  (fixed_statement (variable_declaration type: (_) @type (variable_declarator name: (identifier) @local)))
  (foreach_statement type: (_) @type left: (identifier) @local)
  (declaration_expression type: (_) @type name: (identifier) @local)
  (declaration_pattern type: (_) @type name: (identifier) @local)
  (from_clause type: (_) @type name: (identifier) @local)
] (#not-eq? @type "var"))
[
  (local_declaration_statement (variable_declaration (variable_declarator name: (identifier) @local . (_)? @value)))
  (for_statement initializer: (variable_declaration (variable_declarator name: (identifier) @local . (_)? @value)))
  (using_statement (variable_declaration (variable_declarator name: (identifier) @local . (_)? @value)))
  (foreach_statement left: (identifier) @local right: (_) @elements)
  (declaration_expression name: (identifier) @local)
]
((variable_declaration type: (_) @_var (variable_declarator name: (identifier) @local
  . (object_creation_expression type: (_) @type))) (#eq? @_var "var"))
(tuple_pattern name: (identifier) @local)
(catch_declaration type: (_) @type name: (identifier) @local)
(var_pattern name: (identifier) @local)
(recursive_pattern type: (_)? @type name: (identifier) @local)
(parenthesized_variable_designation name: (identifier) @local)
(from_clause name: (identifier) @local)
(let_clause . (identifier) @local . (_) @value)
(join_clause . (identifier) @local)
(join_into_clause (identifier) @local)
(query_expression (identifier) @local)

; Calls and constructions
(constructor_initializer ["base" "this"] @name (argument_list) @args) @call
((invocation_expression function: [
    (identifier) @name
    (generic_name (identifier) @name)
    (member_access_expression expression: _ @receiver name: [(identifier) @name (generic_name (identifier) @name)])
    (conditional_access_expression condition: (_) @receiver
      (member_binding_expression name: [(identifier) @name (generic_name (identifier) @name)]))
  ] arguments: (argument_list) @args) @call (#not-eq? @name "nameof"))
(object_creation_expression type: [
    (identifier) @name
    (generic_name (identifier) @name)
    (qualified_name qualifier: (_) @receiver name: [(identifier) @name (generic_name (identifier) @name)])
  ] arguments: (argument_list)? @args) @call
(variable_declaration type: [(identifier) @name (generic_name (identifier) @name)]
  (variable_declarator (implicit_object_creation_expression (argument_list) @args) @call))

; Bases
(base_list [
  (identifier) @ref.inherit
  (generic_name (identifier) @ref.inherit)
  (qualified_name qualifier: (_) @receiver name: [(identifier) @ref.inherit (generic_name (identifier) @ref.inherit)])
  (primary_constructor_base_type type: [(identifier) @ref.inherit (generic_name (identifier) @ref.inherit)])
])

; Other names
(type/identifier) @ref.type
(type/generic_name (identifier) @ref.type)
(type/qualified_name qualifier: (_) @receiver name: [(identifier) @ref.type (generic_name (identifier) @ref.type)])
(array_type type: [(identifier) @ref.type (generic_name (identifier) @ref.type)])
(nullable_type type: [(identifier) @ref.type (generic_name (identifier) @ref.type)])
(pointer_type type: (identifier) @ref.type)
(recursive_pattern type: (identifier) @ref.type)
(attribute name: [
  (identifier) @ref.type
  (generic_name (identifier) @ref.type)
  (qualified_name qualifier: (_) @receiver name: (identifier) @ref.type)
])
(member_access_expression expression: _ @receiver name: [(identifier) @ref.use (generic_name (identifier) @ref.use)])
(conditional_access_expression condition: (_) @receiver (member_binding_expression name: (identifier) @ref.use))
(member_binding_expression name: (identifier) @ref.use)
(object_creation_expression type: (_) @receiver initializer: (initializer_expression
  (assignment_expression left: (identifier) @ref.use)))
(with_initializer (identifier) @ref.use)
(constant_pattern (identifier) @ref.use)
(lvalue_expression/generic_name (identifier) @ref.use)
((lvalue_expression/identifier) @ref.use (#not-any-of? @ref.use "nameof" "_"))
