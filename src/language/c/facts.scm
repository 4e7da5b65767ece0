; C. The captures are explained in ../treesitter/README.md.
;
; A declarator wraps its name in a pointer, an array, an initializer, … each in its field `declarator`;
; queries do not recurse, so names are followed through that field four deep.

(comment) @comment

; Definitions. A prototype is a definition too, so that it can be joined to the one with the body.
(function_definition type: (_) @type declarator: [
    (function_declarator declarator: (identifier) @name)
    (_ declarator: (function_declarator declarator: (identifier) @name))
    (_ declarator: (_ declarator: (function_declarator declarator: (identifier) @name)))
    (_ declarator: (_ declarator: (_ declarator: (function_declarator declarator: (identifier) @name))))
    (function_declarator declarator: (parenthesized_declarator (identifier) @name))
    (function_declarator declarator: (parenthesized_declarator (_ declarator: (function_declarator declarator: (identifier) @name))))
  ] body: (_) @body) @def.function
(declaration type: (_) @type declarator: [
    (function_declarator declarator: (identifier) @name)
    (_ declarator: (function_declarator declarator: (identifier) @name))
    (_ declarator: (_ declarator: (function_declarator declarator: (identifier) @name)))
    (_ declarator: (_ declarator: (_ declarator: (function_declarator declarator: (identifier) @name))))
  ]) @def.function

(struct_specifier name: (type_identifier) @name body: (_) @body) @def.struct
(union_specifier name: (type_identifier) @name body: (_) @body) @def.union
(enum_specifier name: (type_identifier) @name body: (_) @body) @def.enum
(enumerator name: (identifier) @name) @def.enumMember
(field_declaration type: (_) @type declarator: [
    (field_identifier) @name
    (_ declarator: (field_identifier) @name)
    (_ declarator: (_ declarator: (field_identifier) @name))
    (_ declarator: (_ declarator: (_ declarator: (field_identifier) @name)))
    (_ declarator: (parenthesized_declarator (_ declarator: (field_identifier) @name)))
    (_ declarator: (parenthesized_declarator (_ declarator: (_ declarator: (field_identifier) @name))))
  ]) @def.field

; A type without a name of its own is known by its typedef. One that has a name stands inside its
; typedef, which is then no more than the second name.
(type_definition type: (struct_specifier !name body: (_) @body) declarator: (type_identifier) @name) @def.struct
(type_definition type: (union_specifier !name body: (_) @body) declarator: (type_identifier) @name) @def.union
(type_definition type: (enum_specifier !name body: (_) @body) declarator: (type_identifier) @name) @def.enum
(type_definition "typedef" @prefix type: (_ name: (_) body: (_)))
(type_definition type: (_ name: (type_identifier) @type body: (_)) declarator: (type_identifier) @name @def.type)
(type_definition type: (_ body: (_)) declarator: (_ declarator: (type_identifier) @name @def.type))
(type_definition type: (_ name: (type_identifier) @type !body) declarator: [
    (type_identifier) @name
    (_ declarator: (type_identifier) @name)
    (_ declarator: (_ declarator: (type_identifier) @name))
  ]) @def.type
(type_definition type: [(type_identifier) (primitive_type) (sized_type_specifier) (macro_type_specifier)] @type declarator: [
    (type_identifier) @name
    (_ declarator: (type_identifier) @name)
    (_ declarator: (_ declarator: (type_identifier) @name))
    (_ declarator: (parenthesized_declarator (_ declarator: (type_identifier) @name)))
    (_ declarator: (_ declarator: (parenthesized_declarator (_ declarator: (type_identifier) @name))))
  ]) @def.type

((preproc_def name: (identifier) @name !value) @def.constant (#not-match? @name "_(H|HH|HPP|INCLUDED)_*$"))
(preproc_def name: (identifier) @name value: (_)) @def.constant
(preproc_function_def name: (identifier) @name value: (_)? @body) @def.macro

; Variables: definitions outside of functions, locals inside
(declaration type: (_) @type declarator: [
    (identifier) @name @local
    (_ declarator: (identifier) @name @local)
    (_ declarator: (_ declarator: (identifier) @name @local))
    (_ declarator: (_ declarator: (_ declarator: (identifier) @name @local)))
    (_ declarator: (_ declarator: (_ declarator: (_ declarator: (identifier) @name @local))))
    (_ declarator: (parenthesized_declarator (_ declarator: (identifier) @name @local)))
    (_ declarator: (_ declarator: (parenthesized_declarator (_ declarator: (identifier) @name @local))))
  ]) @def.variable

; Seen by this file alone
((declaration (storage_class_specifier) @private) @def.variable (#eq? @private "static"))
((function_definition (storage_class_specifier) @private) @def.function (#eq? @private "static"))

; Includes
((preproc_include path: (string_literal) @module) @import (#set! style "include"))
((preproc_include path: (system_lib_string) @module) @import (#set! style "include-system"))

; Where names are bound
[(compound_statement) (for_statement)] @scope
(function_declarator declarator: (identifier) parameters: (parameter_list (parameter_declaration type: (_) @type declarator: [
    (identifier) @param
    (_ declarator: (identifier) @param)
    (_ declarator: (_ declarator: (identifier) @param))
    (_ declarator: (_ declarator: (_ declarator: (identifier) @param)))
    (_ declarator: (parenthesized_declarator (_ declarator: (identifier) @param)))
  ])))
(function_declarator declarator: (identifier) parameters: (parameter_list (identifier) @param))
(preproc_params (identifier) @param)
(init_declarator declarator: [
    (identifier) @local
    (_ declarator: (identifier) @local)
    (_ declarator: (_ declarator: (identifier) @local))
    (_ declarator: (_ declarator: (_ declarator: (identifier) @local)))
  ] value: (_) @value)

; Calls, by name, by member and through pointers
(call_expression function: [
    (identifier) @name
    (field_expression argument: (_) @receiver field: (field_identifier) @name)
    (subscript_expression argument: (identifier) @name)
    (subscript_expression argument: (field_expression argument: (_) @receiver field: (field_identifier) @name))
    (parenthesized_expression (identifier) @name)
    (parenthesized_expression (field_expression argument: (_) @receiver field: (field_identifier) @name))
    (parenthesized_expression (pointer_expression argument: (identifier) @name))
    (parenthesized_expression (pointer_expression argument: (field_expression argument: (_) @receiver field: (field_identifier) @name)))
  ] arguments: (argument_list) @args) @call

; Other names
(type_identifier) @ref.type
(field_expression argument: (_) @receiver field: (field_identifier) @ref.use)
(field_designator (field_identifier) @ref.use)
(assignment_expression left: (identifier) @ref.use)
(concatenated_string (identifier) @ref.use)
(macro_type_specifier name: (identifier) @ref.use)
((preproc_ifdef name: (identifier) @ref.use) (#not-match? @ref.use "_(H|HH|HPP|INCLUDED)_*$"))
(preproc_defined (identifier) @ref.use)
(preproc_if condition: (identifier) @ref.use)
(expression/identifier) @ref.use
