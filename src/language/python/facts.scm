; Python, for texts that the front end beside this file does not take. The captures are explained in
; ../treesitter/README.md.

(comment) @comment

; Definitions. A decorated one is the whole with its decorators, so the plain ones are looked for only
; where no decorator stands around them.
((decorated_definition
  (decorator [(identifier) @_property (attribute attribute: (identifier) @_property)])
  definition: (function_definition name: (identifier) @name return_type: (_)? @type body: (block) @body)) @def.property
  (#match? @_property "(property|^setter|^getter|^deleter)$"))
(class_definition body: (block ((decorated_definition
  definition: (function_definition name: (identifier) @name return_type: (_)? @type body: (block) @body)) @def.constructor
  (#eq? @name "__init__"))))
(decorated_definition
  definition: (function_definition name: (identifier) @name return_type: (_)? @type body: (block) @body)) @def.function
(decorated_definition
  definition: (function_definition body: (block . (expression_statement . (string) @doc .)))) @def.function

(class_definition body: (block
  ((function_definition name: (identifier) @name return_type: (_)? @type body: (block) @body) @def.constructor
    (#eq? @name "__init__"))))
([
  (module (function_definition name: (identifier) @name return_type: (_)? @type body: (block) @body) @def.function)
  (block (function_definition name: (identifier) @name return_type: (_)? @type body: (block) @body) @def.function)
])
(function_definition body: (block . (expression_statement . (string) @doc .))) @def.function

([
  (module (class_definition name: (identifier) @name
    superclasses: (argument_list [(identifier) @_base (attribute attribute: (identifier) @_base)]) body: (block) @body) @def.enum)
  (block (class_definition name: (identifier) @name
    superclasses: (argument_list [(identifier) @_base (attribute attribute: (identifier) @_base)]) body: (block) @body) @def.enum)
  (decorated_definition definition: (class_definition name: (identifier) @name
    superclasses: (argument_list [(identifier) @_base (attribute attribute: (identifier) @_base)]) body: (block) @body)) @def.enum
] (#match? @_base "(Enum|Flag)$"))
[
  (module (class_definition name: (identifier) @name body: (block) @body) @def.class)
  (block (class_definition name: (identifier) @name body: (block) @body) @def.class)
  (decorated_definition definition: (class_definition name: (identifier) @name body: (block) @body)) @def.class
]
(class_definition body: (block . (expression_statement . (string) @doc .))) @def.class
(decorated_definition definition: (class_definition body: (block . (expression_statement . (string) @doc .)))) @def.class

(type_alias_statement left: (type [
  (identifier) @name
  (generic_type (identifier) @name)
])) @def.type

; Variables of the module, of classes and of objects
((class_definition
  superclasses: (argument_list [(identifier) @_base (attribute attribute: (identifier) @_base)])
  body: (block (expression_statement (assignment left: (identifier) @name !type right: (_)) @def.enumMember)))
  (#match? @_base "(Enum|Flag)$") (#not-match? @name "^_"))
(class_definition body: (block (expression_statement
  (assignment left: (identifier) @name type: (_)? @type right: (_)? @value) @def.field)))
((class_definition
  name: (identifier) @container
  body: (block (function_definition
    name: (identifier) @_init
    body: (block (expression_statement (assignment
      left: (attribute object: (identifier) @_self attribute: (identifier) @name)
      type: (_)? @type right: (_)? @value) @def.field)))))
  (#eq? @_init "__init__") (#eq? @_self "self"))

((module (expression_statement (assignment left: (identifier) @name type: (type (identifier) @_alias)) @def.type))
  (#eq? @_alias "TypeAlias"))
((module (expression_statement (assignment left: (identifier) @name right: (call function: (identifier) @_maker)) @def.type))
  (#any-of? @_maker "NewType" "ParamSpec" "TypeVar" "TypeVarTuple"))
((module (expression_statement (assignment left: (identifier) @name type: (_)? @type right: (_)? @value) @def.constant))
  (#match? @name "^[^a-z]*[A-Z][^a-z]*$"))
(module (expression_statement (assignment left: (identifier) @name type: (_)? @type right: (_)? @value) @def.variable))
(module (expression_statement (assignment left: (pattern_list (identifier) @name)) @def.variable))
(module [
  (if_statement (block (expression_statement (assignment left: (identifier) @name type: (_)? @type right: (_)? @value) @def.variable)))
  (if_statement (_ (block (expression_statement (assignment left: (identifier) @name type: (_)? @type right: (_)? @value) @def.variable))))
  (try_statement (block (expression_statement (assignment left: (identifier) @name type: (_)? @type right: (_)? @value) @def.variable)))
  (try_statement (_ (block (expression_statement (assignment left: (identifier) @name type: (_)? @type right: (_)? @value) @def.variable))))
])

; Names that functions bind
(lambda) @scope
(list_comprehension) @scope
(set_comprehension) @scope
(dictionary_comprehension) @scope
(generator_expression) @scope
(parameters (identifier) @param)
(parameters (default_parameter name: (identifier) @param))
(parameters (typed_default_parameter name: (identifier) @param type: (_) @type))
(parameters (typed_parameter . (identifier) @param type: (_) @type))
(parameters (typed_parameter . [
  (list_splat_pattern (identifier) @param)
  (dictionary_splat_pattern (identifier) @param)
] type: (_) @type))
(parameters [(list_splat_pattern (identifier) @param) (dictionary_splat_pattern (identifier) @param)])
(lambda_parameters (identifier) @local)
(lambda_parameters (default_parameter name: (identifier) @local))
(lambda_parameters [(list_splat_pattern (identifier) @local) (dictionary_splat_pattern (identifier) @local)])

(function_definition type_parameters: (type_parameter (type (identifier) @local)))
(assignment left: (identifier) @local type: (_)? @type right: (_)? @value)
(augmented_assignment left: (identifier) @local)
(assignment left: [(pattern_list (identifier) @local) (tuple_pattern (identifier) @local) (list_pattern (identifier) @local)])
(assignment left: (pattern_list (list_splat_pattern (identifier) @local)))
(named_expression name: (identifier) @local value: (_) @value)
(for_statement left: (identifier) @local)
(for_statement left: [(pattern_list (identifier) @local) (tuple_pattern (identifier) @local)])
(for_statement left: (pattern_list (tuple_pattern (identifier) @local)))
(for_in_clause left: (identifier) @local)
(for_in_clause left: [(pattern_list (identifier) @local) (tuple_pattern (identifier) @local)])
(for_in_clause left: (pattern_list (tuple_pattern (identifier) @local)))
(with_item value: (as_pattern . (_) @value alias: (as_pattern_target (identifier) @local)))
(with_item value: (as_pattern alias: (as_pattern_target (tuple (identifier) @local))))
(except_clause (as_pattern . [(identifier) (attribute)] @type alias: (as_pattern_target (identifier) @local)))
(except_clause (as_pattern . (tuple) alias: (as_pattern_target (identifier) @local)))
(case_pattern (dotted_name . (identifier) @local .))
(case_pattern (as_pattern (identifier) @local))
(case_pattern (keyword_pattern (identifier) (dotted_name . (identifier) @local .)))
(splat_pattern (identifier) @local)
(type_alias_statement) @scope
(type_alias_statement left: (type (generic_type (type_parameter (type (identifier) @local)))))

; Imports
(import_statement name: (dotted_name) @module) @import
(import_statement name: (aliased_import name: (dotted_name) @module alias: (identifier) @alias)) @import
(import_from_statement module_name: (_) @module name: (dotted_name) @name) @import
(import_from_statement module_name: (_) @module name: (aliased_import name: (dotted_name) @name alias: (identifier) @alias)) @import
((import_from_statement module_name: (_) @module (wildcard_import)) @import (#set! name "*"))
(future_import_statement name: (dotted_name) @name) @import

; What the module gives away
((module (expression_statement (_
  left: (identifier) @_all
  right: [(list (string (string_content) @name)) (tuple (string (string_content) @name))]) @export))
  (#eq? @_all "__all__"))

; Calls
(call function: (identifier) @name arguments: (argument_list) @args) @call
(call function: (attribute object: (_) @receiver attribute: (identifier) @name) arguments: (argument_list) @args) @call
(call function: (identifier) @name arguments: (generator_expression)) @call
(call function: (attribute object: (_) @receiver attribute: (identifier) @name) arguments: (generator_expression)) @call

; Bases
((class_definition superclasses: (argument_list [
  (identifier) @ref.inherit
  (attribute object: (_) @receiver attribute: (identifier) @ref.inherit)
  (subscript value: (identifier) @ref.inherit)
  (subscript value: (attribute object: (_) @receiver attribute: (identifier) @ref.inherit))
])) (#not-any-of? @ref.inherit
  "bool" "bytes" "complex" "dict" "float" "frozenset" "int" "list" "object" "set" "str" "tuple" "type"))

; Types
((type [
  (identifier) @ref.type
  (subscript value: (identifier) @ref.type)
  (subscript subscript: (identifier) @ref.type)
  (generic_type (identifier) @ref.type)
  (binary_operator (identifier) @ref.type)
] (#not-any-of? @ref.type
  "bool" "bytes" "complex" "dict" "float" "frozenset" "int" "list" "object" "set" "str" "tuple" "type")))
(type [
  (attribute object: (_) @receiver attribute: (identifier) @ref.type)
  (subscript value: (attribute object: (_) @receiver attribute: (identifier) @ref.type))
  (subscript subscript: (attribute object: (_) @receiver attribute: (identifier) @ref.type))
  (binary_operator (attribute object: (_) @receiver attribute: (identifier) @ref.type))
  (member_type (type (identifier) @receiver) (identifier) @ref.type)
])
((type (string (string_content) @ref.type)) (#match? @ref.type "^[A-Za-z_][A-Za-z0-9_]*$"))

; Other names: wherever an expression may stand. A keyword's name is none, so there is no pattern for
; identifiers as such.
(attribute object: (_) @receiver attribute: (identifier) @ref.use)
([
  (attribute object: (identifier) @ref.use)
  (argument_list (identifier) @ref.use)
  (keyword_argument value: (identifier) @ref.use)
  (assignment right: (identifier) @ref.use)
  (augmented_assignment (identifier) @ref.use)
  (await (identifier) @ref.use)
  (binary_operator (identifier) @ref.use)
  (boolean_operator (identifier) @ref.use)
  (comparison_operator (identifier) @ref.use)
  (conditional_expression (identifier) @ref.use)
  (not_operator (identifier) @ref.use)
  (unary_operator (identifier) @ref.use)
  (named_expression value: (identifier) @ref.use)
  (parenthesized_expression (identifier) @ref.use)
  (expression_list (identifier) @ref.use)
  (list (identifier) @ref.use)
  (set (identifier) @ref.use)
  (tuple (identifier) @ref.use)
  (pair (identifier) @ref.use)
  (list_splat (identifier) @ref.use)
  (dictionary_splat (identifier) @ref.use)
  (subscript (identifier) @ref.use)
  (slice (identifier) @ref.use)
  (interpolation expression: (identifier) @ref.use)
  (lambda body: (identifier) @ref.use)
  (yield (identifier) @ref.use)
  (list_comprehension body: (identifier) @ref.use)
  (set_comprehension body: (identifier) @ref.use)
  (generator_expression body: (identifier) @ref.use)
  (for_in_clause right: (identifier) @ref.use)
  (if_clause (identifier) @ref.use)
  (default_parameter value: (identifier) @ref.use)
  (typed_default_parameter value: (identifier) @ref.use)
  (decorator (identifier) @ref.use)
  (expression_statement (identifier) @ref.use)
  (return_statement (identifier) @ref.use)
  (raise_statement (identifier) @ref.use)
  (assert_statement (identifier) @ref.use)
  (delete_statement (identifier) @ref.use)
  (if_statement condition: (identifier) @ref.use)
  (elif_clause condition: (identifier) @ref.use)
  (while_statement condition: (identifier) @ref.use)
  (for_statement right: (identifier) @ref.use)
  (with_item (identifier) @ref.use)
  (as_pattern . (identifier) @ref.use)
  (except_clause (identifier) @ref.use)
  (match_statement subject: (identifier) @ref.use)
  (class_pattern (dotted_name . (identifier) @ref.use))
] (#not-any-of? @ref.use
  "bool" "bytes" "complex" "dict" "float" "frozenset" "int" "list" "object" "set" "str" "tuple" "type"))
