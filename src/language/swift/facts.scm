; Swift. The captures are explained in ../treesitter/README.md.

[(comment) (multiline_comment)] @comment

; Definitions. Queries do not see the fields `type` and `return_type` of this grammar, so that types are told
; by their kinds.
(class_declaration declaration_kind: "class" name: (type_identifier) @name body: (_) @body) @def.class
(class_declaration declaration_kind: "actor" name: (type_identifier) @name body: (_) @body) @def.class
(class_declaration declaration_kind: "struct" name: (type_identifier) @name body: (_) @body) @def.struct
(class_declaration declaration_kind: "enum" name: (type_identifier) @name body: (_) @body) @def.enum
(class_declaration declaration_kind: "extension" name: (user_type) @name body: (_) @body) @def.extension
(protocol_declaration name: (type_identifier) @name body: (_) @body) @def.interface
(enum_entry (simple_identifier) @name) @def.enumMember
(typealias_declaration name: (type_identifier) @name "=" . (_) @type) @def.type
(associatedtype_declaration name: (type_identifier) @name) @def.type
(macro_declaration . (modifiers)? . (simple_identifier) @name) @def.macro

; A match without a name adds to the definition that another one names. With this grammar a pattern for two
; children of a function takes seconds to compile, and one for a choice between them hardly any time.
((init_declaration ["init" @name body: (_) @body (modifiers (visibility_modifier) @private)]) @def.constructor
  (#any-of? @private "private" "fileprivate"))
(deinit_declaration "deinit" @name body: (function_body) @body) @def.method
((function_declaration [
  name: (simple_identifier) @name
  (custom_operator) @name
  ["==" "!=" "===" "<" ">" "<=" ">=" "+" "-" "*" "/" "%" "+=" "-=" "*=" "/=" "&" "|" "^" "<<" ">>"] @name
  body: (_) @body
  (modifiers (visibility_modifier) @private)
  [(user_type) (optional_type) (array_type) (dictionary_type) (tuple_type) (function_type) (opaque_type) (existential_type) (metatype) (protocol_composition_type)] @type
]) @def.function (#any-of? @private "private" "fileprivate"))
((subscript_declaration [
  "subscript" @name
  (computed_property) @body
  (modifiers (visibility_modifier) @private)
  [(user_type) (optional_type) (array_type) (dictionary_type) (tuple_type) (function_type) (opaque_type) (existential_type) (metatype) (protocol_composition_type)] @type
]) @def.method (#any-of? @private "private" "fileprivate"))
(protocol_function_declaration [
  name: (simple_identifier) @name
  body: (_) @body
  [(user_type) (optional_type) (array_type) (dictionary_type) (tuple_type) (function_type) (opaque_type) (existential_type) (metatype) (protocol_composition_type)] @type
]) @def.method

(protocol_property_declaration name: (pattern bound_identifier: (simple_identifier) @name) (type_annotation)? @type) @def.field
(source_file (property_declaration (pattern bound_identifier: (simple_identifier) @name) [(computed_property) (willset_didset_block)] @body) @def.property)
(class_body (property_declaration (pattern bound_identifier: (simple_identifier) @name) [(computed_property) (willset_didset_block)] @body) @def.property)
(enum_class_body (property_declaration (pattern bound_identifier: (simple_identifier) @name) [(computed_property) (willset_didset_block)] @body) @def.property)
(source_file (property_declaration (value_binding_pattern mutability: "let") (pattern bound_identifier: (simple_identifier) @name)) @def.constant)
((class_body (property_declaration
  (modifiers (property_modifier) @_static) (value_binding_pattern mutability: "let") (pattern bound_identifier: (simple_identifier) @name)) @def.constant)
  (#eq? @_static "static"))
((enum_class_body (property_declaration
  (modifiers (property_modifier) @_static) (value_binding_pattern mutability: "let") (pattern bound_identifier: (simple_identifier) @name)) @def.constant)
  (#eq? @_static "static"))
(source_file (property_declaration (pattern bound_identifier: (simple_identifier) @name) . (type_annotation)? @type) @def.variable)
(class_body (property_declaration (pattern bound_identifier: (simple_identifier) @name) . (type_annotation)? @type) @def.field)
(enum_class_body (property_declaration (pattern bound_identifier: (simple_identifier) @name) . (type_annotation)? @type) @def.field)
(source_file (property_declaration (pattern bound_identifier: (simple_identifier) @name) . value: (_) @value) @def.variable)
(class_body (property_declaration (pattern bound_identifier: (simple_identifier) @name) . value: (_) @value) @def.field)
(enum_class_body (property_declaration (pattern bound_identifier: (simple_identifier) @name) . value: (_) @value) @def.field)

((class_declaration (modifiers (visibility_modifier) @private)) @def.class (#any-of? @private "private" "fileprivate"))
((protocol_declaration (modifiers (visibility_modifier) @private)) @def.interface (#any-of? @private "private" "fileprivate"))
((typealias_declaration (modifiers (visibility_modifier) @private)) @def.type (#any-of? @private "private" "fileprivate"))
((property_declaration (modifiers (visibility_modifier) @private)) @def.field (#any-of? @private "private" "fileprivate"))

; Names that functions bind
[(lambda_literal) (computed_getter) (computed_setter) (willset_clause) (didset_clause) (switch_entry) (catch_block) (for_statement)] @scope
(class_declaration (type_parameters)) @scope
(typealias_declaration (type_parameters)) @scope
(parameter name: (simple_identifier) @param
  [(user_type) (optional_type) (array_type) (dictionary_type) (tuple_type) (function_type) (opaque_type) (existential_type) (metatype) (protocol_composition_type)] @type)
(lambda_parameter name: (simple_identifier) @param
  [(user_type) (optional_type) (array_type) (dictionary_type) (tuple_type) (function_type) (opaque_type) (existential_type) (metatype) (protocol_composition_type)]? @type)
(computed_setter (simple_identifier) @param)
(willset_clause (simple_identifier) @param)
(didset_clause (simple_identifier) @param)
(capture_list_item name: (simple_identifier) @local value: (_)? @value)
(type_parameter (type_identifier) @local)
(statements (property_declaration (pattern bound_identifier: (simple_identifier) @local) . (type_annotation) @type))
(statements (property_declaration (pattern bound_identifier: (simple_identifier) @local) . (type_annotation)? @type . value: (_) @value))
(statements (property_declaration
  (pattern bound_identifier: (simple_identifier) @local) . (type_annotation)? @type . value: (try_expression expr: (_) @value)))
(if_statement [bound_identifier: (simple_identifier) @local (pattern bound_identifier: (simple_identifier) @local)])
(if_statement bound_identifier: (simple_identifier) @local . [(call_expression) @value (await_expression) @value (simple_identifier) @value (try_expression expr: (_) @value) (as_expression (user_type) @type)])
(guard_statement [bound_identifier: (simple_identifier) @local (pattern bound_identifier: (simple_identifier) @local)])
(guard_statement bound_identifier: (simple_identifier) @local . [(call_expression) @value (await_expression) @value (simple_identifier) @value (try_expression expr: (_) @value) (as_expression (user_type) @type)])
(while_statement [bound_identifier: (simple_identifier) @local (pattern bound_identifier: (simple_identifier) @local)])
(while_statement bound_identifier: (simple_identifier) @local . [(call_expression) @value (await_expression) @value (simple_identifier) @value (try_expression expr: (_) @value) (as_expression (user_type) @type)])
(if_statement bound_identifier: (simple_identifier) @local . (type_annotation) @type)
(guard_statement bound_identifier: (simple_identifier) @local . (type_annotation) @type)
([
  (for_statement item: (pattern bound_identifier: (simple_identifier) @local) collection: (_) @elements)
  (switch_pattern (pattern bound_identifier: (simple_identifier) @local))
  (catch_block error: (pattern bound_identifier: (simple_identifier) @local))
  (pattern (pattern bound_identifier: (simple_identifier) @local))
])
((pattern (pattern (simple_identifier) @local) @_inner) (#not-match? @_inner "^[.]"))
((pattern . (pattern bound_identifier: (simple_identifier) @local) . (user_type) @type))

; Imports
((import_declaration (identifier) @module) @import
  (#not-match? @import "^(@|import\\s+(struct|class|enum|protocol|func|var|let|typealias)\\b)"))
((import_declaration (modifiers) @_attribute (identifier) @module) @import (#match? @_attribute "@testable") (#set! style "testable"))
((import_declaration (modifiers) @_attribute (identifier) @module) @import (#match? @_attribute "@_exported") (#set! style "exported"))
((import_declaration (modifiers) @_attribute (identifier) @module) @import (#not-match? @_attribute "@(testable|_exported)"))
(import_declaration ["struct" "class" "enum" "protocol" "func" "var" "let" "typealias"]
  (identifier . ((simple_identifier) @module . ".")+ . (simple_identifier) @name .)) @import

; Bases
((inheritance_specifier inherits_from: [
  (user_type . (type_identifier) @ref.inherit . (type_arguments)? .)
  (user_type (type_identifier) @receiver . (type_identifier) @ref.inherit . (type_arguments)? .)])
  (#not-any-of? @ref.inherit "String" "Int" "UInt" "UInt8" "Int32" "AnyObject"))

; Calls. A subscript has the shape of a call.
((call_expression . (simple_identifier) @name (call_suffix (value_arguments)? @args) @_suffix) @call (#not-match? @_suffix "^\\["))
((call_expression
  . (navigation_expression target: (_) @receiver suffix: (navigation_suffix suffix: (simple_identifier) @name))
  (call_suffix (value_arguments)? @args) @_suffix) @call (#not-match? @_suffix "^\\["))
((call_expression . (prefix_expression target: (simple_identifier) @name) (call_suffix (value_arguments)? @args)) @call)
(constructor_expression constructed_type: (user_type (type_identifier) @name . (type_arguments)? .) (constructor_suffix (value_arguments)? @args)) @call
(macro_invocation (simple_identifier) @name (call_suffix (value_arguments)? @args)) @call

; Other names
((user_type . (type_identifier) @ref.type)
  (#not-any-of? @ref.type
    "Any" "AnyObject" "Bool" "Character" "Double" "Float" "Int" "Int8" "Int16" "Int32" "Int64" "Never" "Self" "String"
    "UInt" "UInt8" "UInt16" "UInt32" "UInt64" "Void" "available" "autoclosure" "discardableResult" "escaping" "frozen"
    "inlinable" "objc" "testable" "unknown" "usableFromInline"))
(user_type (type_identifier) @receiver . (type_identifier) @ref.type)
(navigation_expression target: (_) @receiver suffix: (navigation_suffix suffix: (simple_identifier) @ref.use))
(prefix_expression "." target: (simple_identifier) @ref.use)
((pattern . (simple_identifier) @ref.use) @_case (#match? @_case "^[.]"))
; Labels of arguments and parameters are no names of things, so uses are told by what they stand in.
([
  (_ value: (simple_identifier) @ref.use)
  (_ target: (simple_identifier) @ref.use)
  (_ lhs: (simple_identifier) @ref.use)
  (_ rhs: (simple_identifier) @ref.use)
  (_ op: (simple_identifier) @ref.use)
  (_ expr: (simple_identifier) @ref.use)
  (_ result: (simple_identifier) @ref.use)
  (_ collection: (simple_identifier) @ref.use)
  (_ if_nil: (simple_identifier) @ref.use)
  (_ if_true: (simple_identifier) @ref.use)
  (_ if_false: (simple_identifier) @ref.use)
  (_ start: (simple_identifier) @ref.use)
  (_ end: (simple_identifier) @ref.use)
  (_ default_value: (simple_identifier) @ref.use)
  (_ condition: (simple_identifier) @ref.use)
  (array_literal (simple_identifier) @ref.use)
  (dictionary_literal (simple_identifier) @ref.use)
  (tuple_expression (simple_identifier) @ref.use)
  (statements (simple_identifier) @ref.use)
  (directly_assignable_expression (simple_identifier) @ref.use)
  (call_expression . (simple_identifier) @ref.use)
  (where_clause (simple_identifier) @ref.use)
  (selector_expression (simple_identifier) @ref.use)
] (#not-match? @ref.use "^([$].*|_|self|super|Self|init|error|newValue|oldValue|String|U?Int(8|16|32|64)?|Bool|Double|Float|Any)$"))
