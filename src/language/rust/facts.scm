; Rust. The captures are explained in ../treesitter/README.md.

[(line_comment) (block_comment)] @comment
(attribute_item) @prefix

; Definitions
(function_item (visibility_modifier)? @exported name: (_) @name return_type: (_)? @type body: (block) @body) @def.function
(function_signature_item (visibility_modifier)? @exported name: (_) @name return_type: (_)? @type) @def.function
(struct_item (visibility_modifier)? @exported name: (type_identifier) @name body: (field_declaration_list)? @body) @def.struct
(union_item (visibility_modifier)? @exported name: (type_identifier) @name body: (_) @body) @def.union
(enum_item (visibility_modifier)? @exported name: (type_identifier) @name body: (_) @body) @def.enum
(enum_variant name: (identifier) @name) @def.enumMember
(field_declaration (visibility_modifier)? @exported name: (field_identifier) @name type: (_) @type) @def.field
(trait_item (visibility_modifier)? @exported name: (type_identifier) @name body: (_) @body) @def.trait
(associated_type name: (type_identifier) @name) @def.type
(type_item (visibility_modifier)? @exported name: (type_identifier) @name type: (_) @type) @def.type
(mod_item (visibility_modifier)? @exported name: (identifier) @name body: (declaration_list) @body) @def.namespace
(macro_definition name: (identifier) @name . (macro_rule) @body) @def.macro
(source_file (const_item (visibility_modifier)? @exported name: (identifier) @name type: (_) @type value: (_)? @value) @def.constant)
(declaration_list (const_item (visibility_modifier)? @exported name: (identifier) @name type: (_) @type value: (_)? @value) @def.constant)
(source_file (static_item (visibility_modifier)? @exported name: (identifier) @name type: (_) @type value: (_)? @value) @def.variable)
(declaration_list (static_item (visibility_modifier)? @exported name: (identifier) @name type: (_) @type value: (_)? @value) @def.variable)

; An impl is named by its type.
(impl_item type: [
  (type_identifier) @name
  (primitive_type) @name
  (scoped_type_identifier name: (type_identifier) @name)
  (generic_type type: (type_identifier) @name)
  (generic_type type: (scoped_type_identifier name: (type_identifier) @name))
  (reference_type type: (type_identifier) @name)
  (reference_type type: (primitive_type) @name)
  (reference_type type: (generic_type type: (type_identifier) @name))
  (reference_type type: (dynamic_type trait: (type_identifier) @name))
  (dynamic_type trait: (type_identifier) @name)
  (dynamic_type trait: (generic_type type: (type_identifier) @name))
  (array_type element: (type_identifier) @name)
  (array_type element: (primitive_type) @name)
  (pointer_type type: (type_identifier) @name)
  (tuple_type) @name
  (function_type) @name
  (unit_type) @name
] body: (declaration_list)? @body) @def.impl

; What a trait or a visible enum holds is as visible as itself; `pub` is not written there.
(trait_item (visibility_modifier) @exported body: (declaration_list (function_signature_item name: (_) @name) @def.function))
(trait_item (visibility_modifier) @exported body: (declaration_list (function_item name: (_) @name) @def.function))
(trait_item (visibility_modifier) @exported body: (declaration_list (associated_type name: (_) @name) @def.type))
(trait_item (visibility_modifier) @exported body: (declaration_list (const_item name: (_) @name) @def.constant))
(enum_item (visibility_modifier) @exported body: (enum_variant_list (enum_variant name: (_) @name) @def.enumMember))
(enum_item (visibility_modifier) @exported body: (enum_variant_list (enum_variant body: (field_declaration_list
  (field_declaration name: (_) @name) @def.field))))
(impl_item trait: (_) @exported body: (declaration_list (function_item name: (_) @name) @def.function))
(impl_item trait: (_) @exported body: (declaration_list (type_item name: (_) @name) @def.type))
(impl_item trait: (_) @exported body: (declaration_list (const_item name: (_) @name) @def.constant))
((attribute_item (attribute (identifier) @_attribute)) @exported . (macro_definition name: (identifier) @name) @def.macro
  (#eq? @_attribute "macro_export"))

; Imports. Queries do not recurse, so nested lists are followed four deep.
((mod_item name: (identifier) @module !body) @import (#set! style "mod"))
((extern_crate_declaration name: (identifier) @module alias: (identifier)? @alias) @import (#set! style "extern crate"))
(use_declaration (visibility_modifier)? @export argument: [
  (identifier) @module
  (scoped_identifier path: (_) @module name: (identifier) @name)
  (use_as_clause path: [(identifier) (crate) (self) (super)] @module alias: (identifier) @alias)
  (use_as_clause path: (scoped_identifier path: (_) @module name: (identifier) @name) alias: (identifier) @alias)
]) @import
((use_declaration (visibility_modifier)? @export argument: (use_wildcard (_) @module)) @import (#set! name "*"))
((use_declaration (visibility_modifier)? @export argument: (use_list [
  (identifier) @module
  (scoped_identifier path: (_) @module name: (identifier) @name)
  (use_as_clause path: (identifier) @module alias: (identifier) @alias)
  (use_as_clause path: (scoped_identifier path: (_) @module name: (identifier) @name) alias: (identifier) @alias)
  (scoped_use_list path: (_) @module list: (use_list (identifier) @name))
])) @import (#set! join "::"))

((use_declaration (visibility_modifier)? @export argument: (scoped_use_list path: (_)? @module list: (use_list [
  (identifier) @name
  (self) @_self
  (scoped_identifier path: (_) @module name: (identifier) @name)
  (use_as_clause path: (identifier) @name alias: (identifier) @alias)
  (use_as_clause path: (self) @_self alias: (identifier) @alias)
  (use_as_clause path: (scoped_identifier path: (_) @module name: (identifier) @name) alias: (identifier) @alias)
]))) @import (#set! join "::"))
((use_declaration (visibility_modifier)? @export argument: (scoped_use_list path: (_)? @module list: (use_list
  (use_wildcard (_)? @module) @_all))) @import (#set! name "*") (#set! join "::"))

((use_declaration (visibility_modifier)? @export argument: (scoped_use_list path: (_)? @module list: (use_list
  (scoped_use_list path: (_) @module list: (use_list [
    (identifier) @name
    (self) @_self
    (scoped_identifier path: (_) @module name: (identifier) @name)
    (use_as_clause path: (identifier) @name alias: (identifier) @alias)
    (use_as_clause path: (self) @_self alias: (identifier) @alias)
    (use_as_clause path: (scoped_identifier path: (_) @module name: (identifier) @name) alias: (identifier) @alias)
  ]))))) @import (#set! join "::"))
((use_declaration (visibility_modifier)? @export argument: (scoped_use_list path: (_)? @module list: (use_list
  (scoped_use_list path: (_) @module list: (use_list
    (use_wildcard (_)? @module) @_all))))) @import (#set! name "*") (#set! join "::"))

((use_declaration (visibility_modifier)? @export argument: (scoped_use_list path: (_)? @module list: (use_list
  (scoped_use_list path: (_) @module list: (use_list
    (scoped_use_list path: (_) @module list: (use_list [
      (identifier) @name
      (self) @_self
      (scoped_identifier path: (_) @module name: (identifier) @name)
      (use_as_clause path: (identifier) @name alias: (identifier) @alias)
      (use_as_clause path: (self) @_self alias: (identifier) @alias)
      (use_as_clause path: (scoped_identifier path: (_) @module name: (identifier) @name) alias: (identifier) @alias)
    ]))))))) @import (#set! join "::"))
((use_declaration (visibility_modifier)? @export argument: (scoped_use_list path: (_)? @module list: (use_list
  (scoped_use_list path: (_) @module list: (use_list
    (scoped_use_list path: (_) @module list: (use_list
      (use_wildcard (_)? @module) @_all))))))) @import (#set! name "*") (#set! join "::"))

; Where names are bound
[(closure_expression) (block) (match_arm) (for_expression) (if_expression) (while_expression)] @scope
[
  (struct_item type_parameters: (_))
  (union_item type_parameters: (_))
  (enum_item type_parameters: (_))
  (trait_item type_parameters: (_))
  (impl_item type_parameters: (_))
  (type_item type_parameters: (_))
  (associated_type type_parameters: (_))
] @scope
(type_parameter name: (type_identifier) @local)
(const_parameter name: (identifier) @local type: (_) @type)

(function_item parameters: (parameters (parameter pattern: (identifier) @param type: (_) @type)))
(function_signature_item parameters: (parameters (parameter pattern: (identifier) @param type: (_) @type)))
; A closure's parameters come from whoever calls it, so they carry nothing of the function around it.
(closure_parameters (parameter pattern: (identifier) @local type: (_) @type))

(let_declaration pattern: (identifier) @local type: (_)? @type value: (_)? @value)
(let_declaration pattern: (identifier) @local !type value: (struct_expression name: (_) @type) @value)
(let_declaration pattern: (identifier) @local !type value: (reference_expression value: (struct_expression name: (_) @type)) @value)
(assignment_expression left: (identifier) @local right: (_) @value (#not-match? @local "^[A-Z]"))
(block (const_item name: (identifier) @local type: (_) @type))
(block (static_item name: (identifier) @local type: (_) @type))

(for_expression pattern: (identifier) @local value: (_) @elements)

; In a pattern a name with a capital is a constant or a variant.
((_pattern/identifier) @local (#not-match? @local "^[A-Z]"))
(captured_pattern . (identifier) @local)
(field_pattern name: (shorthand_field_identifier) @local)

; Calls and constructions
(call_expression function: (identifier) @name arguments: (arguments) @args (#not-any-of? @name "Some" "Ok" "Err")) @call
(call_expression function: (field_expression value: (_) @receiver field: (field_identifier) @name) arguments: (arguments) @args) @call
(call_expression function: (scoped_identifier path: [
    (identifier) @receiver
    (scoped_identifier) @receiver
    (self) @receiver
    (super) @receiver
    (crate) @receiver
    (metavariable) @receiver
    (generic_type type: (_) @receiver)
    (bracketed_type (qualified_type type: (_) @receiver))
    (bracketed_type (type_identifier) @receiver)
    (bracketed_type (primitive_type) @receiver)
    (bracketed_type (generic_type type: (_) @receiver))
  ] name: (identifier) @name) arguments: (arguments) @args) @call
(call_expression function: (generic_function function: [
    (identifier) @name
    (field_expression value: (_) @receiver field: (field_identifier) @name)
    (scoped_identifier path: [(identifier) (scoped_identifier) (self) (super) (crate)] @receiver name: (identifier) @name)
    (scoped_identifier path: (generic_type type: (_) @receiver) name: (identifier) @name)
  ]) arguments: (arguments) @args) @call
(struct_expression name: [
    (type_identifier) @name
    (scoped_type_identifier path: (_) @receiver name: (type_identifier) @name)
    (generic_type_with_turbofish type: (type_identifier) @name)
  ] body: (field_initializer_list) @args) @call
(macro_invocation macro: (identifier) @name (#not-any-of? @name
  "assert" "assert_eq" "assert_ne" "cfg" "column" "compile_error" "concat" "dbg" "debug_assert" "debug_assert_eq"
  "debug_assert_ne" "env" "eprint" "eprintln" "file" "format" "format_args" "include" "include_bytes" "include_str"
  "line" "matches" "module_path" "option_env" "panic" "print" "println" "stringify" "thread_local" "todo"
  "unimplemented" "unreachable" "vec" "write" "writeln")) @call
(macro_invocation macro: (scoped_identifier path: (_) @receiver name: (identifier) @name)) @call

; What a macro is given is tokens: a name before brackets is called, one behind a dot has a receiver.
(token_tree (identifier) @call @name . (token_tree . "(") (#not-any-of? @name "Some" "Ok" "Err" "any" "all" "not"))
(token_tree [(identifier) (self) (super) (crate)] @receiver . ["." "::"] . (identifier) @call @name . (token_tree . "("))
(token_tree (token_tree) @receiver . "." . (identifier) @call @name . (token_tree . "("))
(token_tree [(identifier) (self) (super) (crate)] @receiver . ["." "::"] . (identifier) @ref.use)
(token_tree (token_tree) @receiver . "." . (identifier) @ref.use)
((token_tree (identifier) @ref.type . "::") (#match? @ref.type "^[A-Z]") (#not-eq? @ref.type "Self"))

; Bases
(impl_item trait: [
  (type_identifier) @ref.inherit
  (scoped_type_identifier path: (_) @receiver name: (type_identifier) @ref.inherit)
  (generic_type type: (type_identifier) @ref.inherit)
  (generic_type type: (scoped_type_identifier path: (_) @receiver name: (type_identifier) @ref.inherit))
])
(trait_item bounds: (trait_bounds [
  (type_identifier) @ref.inherit
  (scoped_type_identifier path: (_) @receiver name: (type_identifier) @ref.inherit)
  (generic_type type: (type_identifier) @ref.inherit)
]))

; Other names
(scoped_type_identifier path: (_) @receiver name: (type_identifier) @ref.type)
((type_identifier) @ref.type (#not-any-of? @ref.type "Self" "String" "Vec" "Option" "Box"))
([
  (scoped_identifier path: (identifier) @ref.type)
  (scoped_type_identifier path: (identifier) @ref.type)
] (#match? @ref.type "^[A-Z]") (#not-any-of? @ref.type "Self" "String" "Vec" "Option" "Box"))
; The head of a path is a module or a crate.
([
  (_expression/scoped_identifier path: (identifier) @ref.use)
  (call_expression function: (scoped_identifier path: (identifier) @ref.use))
  (call_expression function: (generic_function function: (scoped_identifier path: (identifier) @ref.use)))
  (_pattern/scoped_identifier path: (identifier) @ref.use)
  (scoped_type_identifier path: (identifier) @ref.use)
] (#match? @ref.use "^[a-z_]"))
(field_expression value: (_) @receiver field: (field_identifier) @ref.use)
(struct_expression name: (_) @receiver body: (field_initializer_list (field_initializer field: (field_identifier) @ref.use)))
(struct_pattern type: (_) @receiver (field_pattern name: (field_identifier) @ref.use))
(_expression/scoped_identifier path: (_) @receiver name: (identifier) @ref.use)
(_pattern/scoped_identifier path: (_) @receiver name: (identifier) @ref.use)
(tuple_struct_pattern type: (scoped_identifier path: (_) @receiver name: (identifier) @ref.use))
(tuple_struct_pattern type: (identifier) @ref.use (#not-any-of? @ref.use "Some" "Ok" "Err"))
((_pattern/identifier) @ref.use (#match? @ref.use "^[A-Z]") (#not-eq? @ref.use "None"))
((_expression/identifier) @ref.use (#not-any-of? @ref.use "Some" "None" "Ok" "Err"))
(shorthand_field_initializer (identifier) @ref.use)
((attribute (identifier) @_attribute arguments: (token_tree (identifier) @ref.use)) (#eq? @_attribute "derive")
  (#not-any-of? @ref.use "Clone" "Copy" "Debug" "Default" "Eq" "Hash" "Ord" "PartialEq" "PartialOrd"))
(attribute (scoped_identifier path: (_) @receiver name: (identifier) @ref.use))
((attribute (identifier) @ref.use) (#not-any-of? @ref.use
  "allow" "automatically_derived" "cfg" "cfg_attr" "cold" "default" "deny" "deprecated" "derive" "doc" "expect" "forbid"
  "global_allocator" "ignore" "inline" "link" "link_name" "macro_export" "macro_use" "must_use" "no_mangle"
  "non_exhaustive" "path" "proc_macro" "proc_macro_attribute" "proc_macro_derive" "repr" "should_panic" "target_feature"
  "test" "track_caller" "unsafe" "used" "warn"))
((macro_invocation (token_tree (identifier) @ref.use)) (#not-any-of? @ref.use "Some" "None" "Ok" "Err"))
((macro_rule right: (token_tree (identifier) @ref.use)) (#not-any-of? @ref.use "Some" "None" "Ok" "Err"))
((token_tree (token_tree (identifier) @ref.use)) (#not-any-of? @ref.use "Some" "None" "Ok" "Err" "feature" "target_os"))
