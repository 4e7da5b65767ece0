; C++. The captures are explained in ../treesitter/README.md.
;
; A declarator wraps its name in a pointer, a reference, an array, an initializer, … ; queries do not
; recurse, so names are followed through them three deep.

(comment) @comment
(template_declaration "template" @prefix parameters: (_) @prefix)
(template_declaration (requires_clause) @prefix)

; Constructors have no type. A macro call before a block looks the same, but stands outside of classes.
(field_declaration_list (function_definition !type declarator: (function_declarator declarator: (identifier) @name) (field_initializer_list) @body) @def.constructor)
(field_declaration_list (function_definition !type declarator: (function_declarator declarator: (identifier) @name) body: (_)? @body) @def.constructor)
(field_declaration_list (declaration !type declarator: (function_declarator declarator: (identifier) @name)) @def.constructor)
(field_declaration_list (template_declaration (function_definition !type declarator: (function_declarator declarator: (identifier) @name) body: (_)? @body) @def.constructor))
(field_declaration_list (template_declaration (declaration !type declarator: (function_declarator declarator: (identifier) @name)) @def.constructor))
(function_definition !type declarator: (function_declarator declarator: (qualified_identifier
    scope: [(namespace_identifier) @container (template_type name: (type_identifier) @container)] name: (identifier) @name)) (field_initializer_list) @body) @def.constructor
(function_definition !type declarator: (function_declarator declarator: (qualified_identifier
    scope: [(namespace_identifier) @container (template_type name: (type_identifier) @container)] name: (identifier) @name)) body: (_)? @body) @def.constructor
(function_definition !type declarator: (function_declarator declarator: (qualified_identifier name: (qualified_identifier
    scope: [(namespace_identifier) @container (template_type name: (type_identifier) @container)] name: (identifier) @name))) body: (_)? @body) @def.constructor

; A type that follows the parameters says more than the `auto` before them.
(function_definition declarator: (function_declarator declarator: [(identifier) (field_identifier) (operator_name) (destructor_name)] @name (trailing_return_type (_) @type))) @def.function

; Functions and methods. A prototype is a definition too, so that it can be joined to the one with the
; body; a method that is defined outside of its class says to which it belongs.
(function_definition type: (_)? @type declarator: [
    (function_declarator declarator: [(identifier) (field_identifier) (operator_name) (destructor_name)] @name)
    (_ (function_declarator declarator: [(identifier) (field_identifier) (operator_name) (destructor_name)] @name))
    (_ (_ (function_declarator declarator: [(identifier) (field_identifier) (operator_name) (destructor_name)] @name)))
    (function_declarator declarator: [(template_function name: (identifier) @name) (template_method name: (_) @name)])
    (operator_cast) @name
  ] body: (_)? @body) @def.function
(function_definition type: (_)? @type declarator: [
    (function_declarator declarator: (qualified_identifier scope: [(namespace_identifier) @container (template_type name: (type_identifier) @container)] name: [(identifier) @name (operator_name) @name (destructor_name) @name (template_function name: (identifier) @name)]))
    (_ (function_declarator declarator: (qualified_identifier scope: [(namespace_identifier) @container (template_type name: (type_identifier) @container)] name: [(identifier) @name (operator_name) @name (destructor_name) @name (template_function name: (identifier) @name)])))
    (function_declarator declarator: (qualified_identifier name: (qualified_identifier scope: [(namespace_identifier) @container (template_type name: (type_identifier) @container)] name: [(identifier) @name (operator_name) @name (destructor_name) @name (template_function name: (identifier) @name)])))
    (_ (function_declarator declarator: (qualified_identifier name: (qualified_identifier scope: [(namespace_identifier) @container (template_type name: (type_identifier) @container)] name: [(identifier) @name (operator_name) @name (destructor_name) @name (template_function name: (identifier) @name)]))))
    (function_declarator declarator: (qualified_identifier name: (qualified_identifier name: (qualified_identifier scope: [(namespace_identifier) @container (template_type name: (type_identifier) @container)] name: [(identifier) @name (operator_name) @name (destructor_name) @name (template_function name: (identifier) @name)]))))
  ] body: (_)? @body) @def.method
(field_declaration type: (_) @type declarator: [
    (function_declarator declarator: [(identifier) (field_identifier) (operator_name) (destructor_name)] @name)
    (_ (function_declarator declarator: [(identifier) (field_identifier) (operator_name) (destructor_name)] @name))
    (_ (_ (function_declarator declarator: [(identifier) (field_identifier) (operator_name) (destructor_name)] @name)))
  ]) @def.method
(field_declaration_list (declaration !type declarator: [
    (function_declarator declarator: (destructor_name) @name)
    (operator_cast) @name
  ]) @def.method)
(declaration type: (_)? @type declarator: [
    (function_declarator declarator: [(identifier) (field_identifier) (operator_name) (destructor_name)] @name)
    (_ (function_declarator declarator: [(identifier) (field_identifier) (operator_name) (destructor_name)] @name))
    (_ (_ (function_declarator declarator: [(identifier) (field_identifier) (operator_name) (destructor_name)] @name)))
  ]) @def.function

; Types
(class_specifier name: [(type_identifier) @name (template_type name: (_) @name) (qualified_identifier name: (type_identifier) @name)] body: (_) @body) @def.class
(struct_specifier name: [(type_identifier) @name (template_type name: (_) @name) (qualified_identifier name: (type_identifier) @name)] body: (_) @body) @def.struct
(union_specifier name: (type_identifier) @name body: (_) @body) @def.union
(enum_specifier name: [(type_identifier) @name (qualified_identifier name: (type_identifier) @name)] body: (_) @body) @def.enum
(enumerator name: (identifier) @name) @def.enumMember
(alias_declaration name: (type_identifier) @name type: (_) @type) @def.type
(concept_definition name: (identifier) @name (_) @body) @def.type
(namespace_definition name: (_) @name body: (_) @body) @def.namespace

; A type without a name of its own is known by its typedef. One that has a name stands inside its
; typedef, which is then no more than the second name.
(type_definition type: (class_specifier !name body: (_) @body) declarator: (type_identifier) @name) @def.class
(type_definition type: (struct_specifier !name body: (_) @body) declarator: (type_identifier) @name) @def.struct
(type_definition type: (union_specifier !name body: (_) @body) declarator: (type_identifier) @name) @def.union
(type_definition type: (enum_specifier !name body: (_) @body) declarator: (type_identifier) @name) @def.enum
(type_definition "typedef" @prefix type: (_ name: (_) body: (_)))
(type_definition type: (_ name: (type_identifier) @type body: (_)) declarator: (type_identifier) @name @def.type)
(type_definition type: (_ body: (_)) declarator: (_ declarator: (type_identifier) @name @def.type))
(type_definition type: [
    (struct_specifier name: (_) @type !body)
    (class_specifier name: (_) @type !body)
    (union_specifier name: (_) @type !body)
    (enum_specifier name: (_) @type !body)
    (type_identifier) @type
    (primitive_type) @type
    (sized_type_specifier) @type
    (template_type) @type
    (qualified_identifier) @type
    (dependent_type) @type
  ] declarator: [
    (type_identifier) @name
    (_ declarator: (type_identifier) @name)
    (_ declarator: (_ declarator: (type_identifier) @name))
    (_ declarator: (parenthesized_declarator (_ declarator: (type_identifier) @name)))
    (_ declarator: (_ declarator: (parenthesized_declarator (_ declarator: (type_identifier) @name))))
  ]) @def.type

; Fields, variables outside of functions, macros
(field_declaration type: (_) @type declarator: [
    (field_identifier) @name
    (_ declarator: (field_identifier) @name)
    (reference_declarator (field_identifier) @name)
    (_ declarator: (_ declarator: (field_identifier) @name))
    (_ declarator: (reference_declarator (field_identifier) @name))
    (reference_declarator (_ declarator: (field_identifier) @name))
    (_ declarator: (_ declarator: (_ declarator: (field_identifier) @name)))
    (_ declarator: (parenthesized_declarator (_ declarator: (field_identifier) @name)))
    (_ declarator: (_ declarator: (parenthesized_declarator (_ declarator: (field_identifier) @name))))
  ] default_value: (_)? @value) @def.field
(declaration type: (_) @type declarator: [
    (identifier) @name @local
    (_ declarator: (identifier) @name @local)
    (reference_declarator (identifier) @name @local)
    (_ declarator: (_ declarator: (identifier) @name @local))
    (_ declarator: (reference_declarator (identifier) @name @local))
    (reference_declarator (_ declarator: (identifier) @name @local))
    (_ declarator: (_ declarator: (_ declarator: (identifier) @name @local)))
    (_ declarator: (parenthesized_declarator (_ declarator: (identifier) @name @local)))
    (_ declarator: (_ declarator: (parenthesized_declarator (_ declarator: (identifier) @name @local))))
  ]) @def.variable
(declaration type: (_) @type declarator: [
    (qualified_identifier scope: [(namespace_identifier) @container (template_type name: (type_identifier) @container)] name: (identifier) @name)
    (_ declarator: (qualified_identifier scope: [(namespace_identifier) @container (template_type name: (type_identifier) @container)] name: (identifier) @name))
    (_ declarator: (qualified_identifier name: (qualified_identifier scope: [(namespace_identifier) @container (template_type name: (type_identifier) @container)] name: (identifier) @name)))
  ]) @def.variable
((preproc_def name: (identifier) @name !value) @def.constant (#not-match? @name "_(H|HH|HPP|INCLUDED)_*$"))
(preproc_def name: (identifier) @name value: (_)) @def.constant
(preproc_function_def name: (identifier) @name value: (_)? @body) @def.macro

; Seen by this file alone
((translation_unit (_ (storage_class_specifier) @private) @def.function) (#eq? @private "static"))
((declaration_list (_ (storage_class_specifier) @private) @def.function) (#eq? @private "static"))
((preproc_ifdef (_ (storage_class_specifier) @private) @def.function) (#eq? @private "static"))
((preproc_if (_ (storage_class_specifier) @private) @def.function) (#eq? @private "static"))
(namespace_definition !name body: (declaration_list [(function_definition) (declaration) (class_specifier) (struct_specifier) (enum_specifier)] @def.function @private))

; Includes and imports
((preproc_include path: (string_literal) @module) @import (#set! style "include"))
((preproc_include path: (system_lib_string) @module) @import (#set! style "include-system"))
((using_declaration "namespace" [
    (identifier) @module
    (qualified_identifier scope: (_) @module name: (identifier) @module)
    (qualified_identifier scope: (_) @module name: (qualified_identifier scope: (_) @module name: (identifier) @module))
  ]) @import (#set! name "*") (#set! style "namespace") (#set! join "::"))
(using_declaration (qualified_identifier scope: (_) @module name: (identifier) @name)) @import
((using_declaration (qualified_identifier scope: (_) @module name: (qualified_identifier scope: (_) @module name: (identifier) @name))) @import (#set! join "::"))
((namespace_alias_definition name: (_) @alias . [(namespace_identifier) (nested_namespace_specifier)] @module) @import (#set! style "namespace"))

; Where names are bound
[
  (compound_statement)
  (for_statement)
  (for_range_loop)
  (if_statement)
  (while_statement)
  (catch_clause)
  (lambda_expression)
  (requires_expression)
  (template_declaration)
] @scope
(type_parameter_declaration (type_identifier) @local)
(variadic_type_parameter_declaration (type_identifier) @local)
(optional_type_parameter_declaration name: (type_identifier) @local)
(template_parameter_list (parameter_declaration type: (_) @type declarator: (identifier) @local))
(template_parameter_list (optional_parameter_declaration type: (_) @type declarator: (identifier) @local))
(function_declarator declarator: [
    (identifier) (field_identifier) (qualified_identifier) (operator_name) (destructor_name) (template_function) (template_method)
  ] parameters: (parameter_list [
    (parameter_declaration type: (_) @type declarator: [
      (identifier) @param
      (_ declarator: (identifier) @param)
      (reference_declarator (identifier) @param)
      (_ declarator: (_ declarator: (identifier) @param))
      (reference_declarator (_ declarator: (identifier) @param))
      (_ declarator: (parenthesized_declarator (_ (identifier) @param)))
    ])
    (optional_parameter_declaration type: (_) @type declarator: [
      (identifier) @param
      (_ declarator: (identifier) @param)
      (reference_declarator (identifier) @param)
      (_ declarator: (_ declarator: (identifier) @param))
      (reference_declarator (_ declarator: (identifier) @param))
      (_ declarator: (parenthesized_declarator (_ (identifier) @param)))
    ])
    (variadic_parameter_declaration type: (_) @type declarator: [(variadic_declarator (identifier) @param) (reference_declarator (variadic_declarator (identifier) @param))])
  ]))
(preproc_params (identifier) @param)
; A lambda's parameters come from whoever calls it, so they carry nothing of the function around it.
(abstract_function_declarator parameters: (parameter_list [
    (parameter_declaration type: (_) @type declarator: [
      (identifier) @local
      (_ declarator: (identifier) @local)
      (reference_declarator (identifier) @local)
      (_ declarator: (_ declarator: (identifier) @local))
      (reference_declarator (_ declarator: (identifier) @local))
      (_ declarator: (parenthesized_declarator (_ (identifier) @local)))
    ])
    (optional_parameter_declaration type: (_) @type declarator: [
      (identifier) @local
      (_ declarator: (identifier) @local)
      (reference_declarator (identifier) @local)
      (_ declarator: (_ declarator: (identifier) @local))
      (reference_declarator (_ declarator: (identifier) @local))
      (_ declarator: (parenthesized_declarator (_ (identifier) @local)))
    ])
    (variadic_parameter_declaration type: (_) @type declarator: [(variadic_declarator (identifier) @local) (reference_declarator (variadic_declarator (identifier) @local))])
  ]))
(catch_clause parameters: (parameter_list (parameter_declaration type: (_) @type declarator: [
    (identifier) @local
    (reference_declarator (identifier) @local)
    (_ declarator: (identifier) @local)
  ])))
(requires_expression parameters: (parameter_list (parameter_declaration type: (_) @type declarator: [
    (identifier) @local
    (reference_declarator (identifier) @local)
  ])))
(lambda_capture_initializer left: (identifier) @local right: (_) @value)
(structured_binding_declarator (identifier) @local)

((for_range_loop type: (_) @type declarator: [
    (identifier) @local
    (reference_declarator (identifier) @local)
    (_ declarator: (identifier) @local)
  ]) (#not-match? @type "^(auto|decltype)"))
(for_range_loop declarator: [(identifier) @local (reference_declarator (identifier) @local) (_ declarator: (identifier) @local)] right: (_) @elements)
(init_declarator declarator: [
    (identifier) @local
    (_ declarator: (identifier) @local)
    (reference_declarator (identifier) @local)
    (_ declarator: (_ declarator: (identifier) @local))
  ] value: (_) @value)
(declaration declarator: [(identifier) @local (_ declarator: (identifier) @local) (reference_declarator (identifier) @local)] value: (_) @value)
; What a literal, `new` or a maker of smart pointers names
(declaration type: (placeholder_type_specifier) declarator: (init_declarator declarator: [
    (identifier) @local
    (_ declarator: (identifier) @local)
  ] value: [
    (new_expression type: (_) @type)
    (compound_literal_expression type: (_) @type)
  ]))
((declaration type: (placeholder_type_specifier) declarator: (init_declarator declarator: (identifier) @local
  value: (call_expression function: [
    (template_function name: (identifier) @_maker arguments: (template_argument_list . (type_descriptor type: (_) @type)))
    (qualified_identifier name: (template_function name: (identifier) @_maker arguments: (template_argument_list . (type_descriptor type: (_) @type))))
  ]))) (#any-of? @_maker "make_unique" "make_shared"))

; Calls, by name, by member and through pointers
((call_expression function: [
    (identifier) @name
    (template_function name: (identifier) @name)
    (qualified_identifier !scope name: (identifier) @name)
    (qualified_identifier scope: (_) @receiver name: [(identifier) @name (template_function name: (identifier) @name)])
    (qualified_identifier name: (qualified_identifier scope: (_) @receiver name: [(identifier) @name (template_function name: (identifier) @name)]))
    (qualified_identifier name: (qualified_identifier name: (qualified_identifier scope: (_) @receiver name: [(identifier) @name (template_function name: (identifier) @name)])))
    (field_expression argument: (_) @receiver field: [
      (field_identifier) @name
      (template_method name: (field_identifier) @name)
      (dependent_name (template_method name: (field_identifier) @name))
      (qualified_identifier name: (field_identifier) @name)
    ])
    (subscript_expression argument: (identifier) @name)
    (parenthesized_expression (identifier) @name)
    (parenthesized_expression (pointer_expression argument: (identifier) @name))
    (parenthesized_expression (pointer_expression argument: (field_expression argument: (_) @receiver field: (field_identifier) @name)))
  ] arguments: (argument_list) @args) @call
  (#not-any-of? @name "static_cast" "dynamic_cast" "const_cast" "reinterpret_cast"))

; Constructions
(new_expression type: [
    (type_identifier) @name
    (template_type name: (type_identifier) @name)
    (qualified_identifier scope: (_) @receiver name: [(type_identifier) @name (template_type name: (type_identifier) @name)])
    (qualified_identifier name: (qualified_identifier scope: (_) @receiver name: (type_identifier) @name))
  ] arguments: (_)? @args) @call
(compound_literal_expression type: [
    (type_identifier) @name
    (template_type name: (type_identifier) @name)
    (qualified_identifier scope: (_) @receiver name: [(type_identifier) @name (template_type name: (type_identifier) @name)])
  ] value: (initializer_list) @args) @call
(declaration type: [
    (type_identifier) @name
    (template_type name: (type_identifier) @name)
    (qualified_identifier scope: (_) @receiver name: [(type_identifier) @name (template_type name: (type_identifier) @name)])
  ] declarator: (init_declarator declarator: (identifier) value: [(argument_list) (initializer_list)] @args)) @call

; Bases
(base_class_clause [
  (type_identifier) @ref.inherit
  (template_type name: (type_identifier) @ref.inherit)
  (qualified_identifier scope: (_) @receiver name: [(type_identifier) @ref.inherit (template_type name: (type_identifier) @ref.inherit)])
  (qualified_identifier name: (qualified_identifier scope: (_) @receiver name: [(type_identifier) @ref.inherit (template_type name: (type_identifier) @ref.inherit)]))
])

; Other names
(qualified_identifier scope: (_) @receiver name: (type_identifier) @ref.type)
(qualified_identifier scope: (_) @receiver name: (template_type name: (type_identifier) @ref.type))
(type_identifier) @ref.type
((qualified_identifier scope: (namespace_identifier) @ref.type) (#match? @ref.type "^[A-Z]"))
(field_expression argument: (_) @receiver field: (field_identifier) @ref.use)
(field_designator (field_identifier) @ref.use)
(field_initializer (field_identifier) @ref.use)
(assignment_expression left: (identifier) @ref.use)
(concatenated_string (identifier) @ref.use)
((preproc_ifdef name: (identifier) @ref.use) (#not-match? @ref.use "_(H|HH|HPP|INCLUDED)_*$"))
(preproc_defined (identifier) @ref.use)
(preproc_if condition: (identifier) @ref.use)
((template_function name: (identifier) @ref.use)
  (#not-any-of? @ref.use "static_cast" "dynamic_cast" "const_cast" "reinterpret_cast"))
(expression/qualified_identifier scope: (_) @receiver name: (identifier) @ref.use)
(qualified_identifier scope: (_) @receiver name: (template_function name: (identifier) @ref.use))
(expression/qualified_identifier name: (qualified_identifier scope: (_) @receiver name: (identifier) @ref.use))
(lambda_capture_specifier (identifier) @ref.use)
(expression/identifier) @ref.use
