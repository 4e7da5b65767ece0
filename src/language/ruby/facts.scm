; Ruby. The captures are explained in ../treesitter/README.md.

(comment) @comment

; Definitions. A comment below the header stands outside the grammar's body, so where there is one it is
; where the body begins.
(class name: [(constant) @name (scope_resolution scope: (_)? @container name: (constant) @name)] . (comment) @body) @def.class
(class name: [(constant) @name (scope_resolution name: (constant) @name)] superclass: (_) . (comment) @body) @def.class
(class name: [(constant) @name (scope_resolution scope: (_)? @container name: (constant) @name)] body: (_)? @body) @def.class
(module name: [(constant) @name (scope_resolution scope: (_)? @container name: (constant) @name)] . (comment) @body) @def.namespace
(module name: [(constant) @name (scope_resolution scope: (_)? @container name: (constant) @name)] body: (_)? @body) @def.namespace

((method name: (identifier) @name parameters: (_)? . (comment) @body) @def.constructor (#eq? @name "initialize"))
((method name: (identifier) @name body: (_)? @body) @def.constructor (#eq? @name "initialize"))
(method name: (setter name: (identifier) @name) parameters: (_)? . (comment) @body) @def.property
(method name: (setter name: (identifier) @name) body: (_)? @body) @def.property
; A module is a namespace, whose functions stay functions; those of Ruby are methods wherever they stand.
(module body: (body_statement (method name: [(identifier) (constant) (operator)] @name) @def.method))
(singleton_class body: (body_statement (method name: [(identifier) (constant) (operator)] @name) @def.method))
(method name: [(identifier) (constant) (operator)] @name parameters: (_)? . (comment) @body) @def.function
(method name: [(identifier) (constant) (operator)] @name body: (_)? @body) @def.function
(program (singleton_method object: (constant) @container name: (_) @name) @def.method)
(singleton_method name: (setter name: (identifier) @name) body: (_)? @body) @def.property
(singleton_method name: [(identifier) (constant) (operator)] @name parameters: (_)? . (comment) @body) @def.method
(singleton_method name: [(identifier) (constant) (operator)] @name body: (_)? @body) @def.method
((call
  method: (identifier) @_define
  arguments: (argument_list . [(simple_symbol) (string)] @name)
  block: (_) @body) @def.method
  (#any-of? @_define "define_method" "define_singleton_method")
  (#not-match? @name "#[{]"))
(alias name: [(identifier) (simple_symbol) (operator)] @name) @def.method
((call method: (identifier) @_alias arguments: (argument_list . [(simple_symbol) (string)] @name)) @def.method
  (#eq? @_alias "alias_method"))

((call method: (identifier) @_attribute arguments: (argument_list [(simple_symbol) (string)] @name)) @def.field
  (#any-of? @_attribute "attr" "attr_accessor" "attr_reader" "attr_writer" "cattr_accessor" "mattr_accessor" "class_attribute"))

; `Point = Struct.new(:x, :y)` opens a type.
((assignment left: (constant) @name
  right: (call receiver: (constant) @_maker method: (identifier) @_make block: (_)? @body)) @def.struct
  (#any-of? @_maker "Struct" "Data") (#any-of? @_make "new" "define"))
((assignment left: (constant)
  right: (call receiver: (constant) @_maker method: (identifier) @_make arguments: (argument_list (simple_symbol) @name @def.field)))
  (#any-of? @_maker "Struct" "Data") (#any-of? @_make "new" "define"))
((assignment left: (constant) @name
  right: (call receiver: (constant) @_maker method: (identifier) @_make block: (_)? @body)) @def.class
  (#eq? @_maker "Class") (#eq? @_make "new"))
((assignment left: (constant) @name
  right: (call receiver: (constant) @_maker method: (identifier) @_make block: (_)? @body)) @def.namespace
  (#eq? @_maker "Module") (#eq? @_make "new"))
((assignment left: (constant) @name right: (call receiver: [(constant) (scope_resolution)] @type method: (identifier) @_new)) @def.constant
  (#eq? @_new "new"))
(assignment left: (constant) @name right: (_) @value) @def.constant
(assignment left: (scope_resolution scope: (_) @container name: (constant) @name) right: (_) @value) @def.constant

(class body: (body_statement (assignment left: [(class_variable) (instance_variable)] @name right: (_) @value) @def.field))
(module body: (body_statement (assignment left: [(class_variable) (instance_variable)] @name right: (_) @value) @def.variable))
((method name: (identifier) @_initialize
  body: (body_statement (assignment left: (instance_variable) @name
    right: (call receiver: [(constant) (scope_resolution)] @type method: (identifier) @_new)) @def.field))
  (#eq? @_initialize "initialize") (#eq? @_new "new"))
((method name: (identifier) @_initialize
  body: (body_statement (assignment left: (instance_variable) @name right: (_) @value) @def.field))
  (#eq? @_initialize "initialize"))
((program (assignment left: (identifier) @name right: (call receiver: [(constant) (scope_resolution)] @type method: (identifier) @_new)) @def.variable)
  (#eq? @_new "new"))
(program (assignment left: [(identifier) (global_variable)] @name right: (_) @value) @def.variable)

; A task of a Rakefile.
((call
  method: (identifier) @_task
  arguments: (argument_list . [(simple_symbol) @name (string) @name (pair key: (_) @name)])
  block: (_) @body) @def.block
  (#any-of? @_task "task" "multitask" "file"))

; What follows a bare `private` is private; a later `public` is not seen.
((body_statement (identifier) @private (method name: [(identifier) (constant) (operator)] @name) @def.function)
  (#any-of? @private "private" "protected"))
((body_statement (identifier) @private (method name: (setter name: (identifier) @name)) @def.property)
  (#any-of? @private "private" "protected"))
((body_statement (identifier) @private
  (call method: (identifier) @_attribute arguments: (argument_list [(simple_symbol) (string)] @name)) @def.field)
  (#any-of? @private "private" "protected")
  (#any-of? @_attribute "attr" "attr_accessor" "attr_reader" "attr_writer"))
((call method: (identifier) @private arguments: (argument_list (method name: [(identifier) (constant) (operator)] @name) @def.function))
  (#any-of? @private "private" "protected"))
((call method: (identifier) @private arguments: (argument_list (singleton_method name: [(identifier) (constant) (operator)] @name) @def.method))
  (#eq? @private "private_class_method"))
((call method: (identifier) @private
  arguments: (argument_list (call method: (identifier) @_attribute arguments: (argument_list [(simple_symbol) (string)] @name)) @def.field))
  (#any-of? @private "private" "protected")
  (#any-of? @_attribute "attr" "attr_accessor" "attr_reader" "attr_writer"))

; Names that methods and blocks bind
[(block) (do_block) (lambda)] @scope
(method_parameters (identifier) @param)
(lambda_parameters (identifier) @param)
(block_parameters (identifier) @param)
(destructured_parameter (identifier) @param)
(block_parameters locals: (identifier) @local)
(splat_parameter name: (identifier) @param)
(hash_splat_parameter name: (identifier) @param)
(block_parameter name: (identifier) @param)
(keyword_parameter name: (identifier) @param)
(optional_parameter name: (identifier) @param)
((optional_parameter name: (identifier) @param value: (call receiver: [(constant) (scope_resolution)] @type method: (identifier) @_new))
  (#eq? @_new "new"))
((assignment left: (identifier) @local right: (call receiver: [(constant) (scope_resolution)] @type method: (identifier) @_new) @value)
  (#eq? @_new "new"))
(assignment left: (identifier) @local right: (_) @value)
(operator_assignment left: (identifier) @local right: (_) @value)
(left_assignment_list (identifier) @local)
(destructured_left_assignment (identifier) @local)
(rest_assignment (identifier) @local)
(for pattern: (identifier) @local)
(rescue exceptions: (exceptions . [(constant) (scope_resolution)] @type .) variable: (exception_variable (identifier) @local))
(exception_variable (identifier) @local)
(in_clause pattern: (identifier) @local)
(as_pattern name: (identifier) @local)
(array_pattern (identifier) @local)
(find_pattern (identifier) @local)
(alternative_pattern (identifier) @local)
(parenthesized_pattern (identifier) @local)
(keyword_pattern value: (identifier) @local)
(keyword_pattern key: (hash_key_symbol) @local !value)
(match_pattern pattern: (identifier) @local)

; Imports
((call method: (identifier) @_word arguments: (argument_list . (string) @module)) @import
  (#not-match? @module "#[{]") (#eq? @_word "require") (#set! style "require"))
((call method: (identifier) @_word arguments: (argument_list . (string) @module)) @import
  (#not-match? @module "#[{]") (#eq? @_word "require_relative") (#set! style "require_relative"))
((call method: (identifier) @_word arguments: (argument_list . (string) @module)) @import
  (#not-match? @module "#[{]") (#eq? @_word "load") (#set! style "load"))
((call method: (identifier) @_word arguments: (argument_list . (simple_symbol) @name . (string) @module)) @import
  (#eq? @_word "autoload") (#set! style "autoload"))

; Bases
(superclass (constant) @ref.inherit)
(superclass (scope_resolution scope: (_) @receiver name: (constant) @ref.inherit))
((call !receiver method: (identifier) @_mixin arguments: (argument_list [
  (constant) @ref.inherit
  (scope_resolution scope: (_) @receiver name: (constant) @ref.inherit)]))
  (#any-of? @_mixin "include" "extend" "prepend"))
((call receiver: (constant) @_class method: (identifier) @_new arguments: (argument_list . [
  (constant) @ref.inherit
  (scope_resolution scope: (_) @receiver name: (constant) @ref.inherit)]))
  (#eq? @_class "Class") (#eq? @_new "new"))

; Calls. Every name that is no variable is one; alone in a statement's place it is said so, elsewhere it
(super) @name @call
(call method: (super) @name arguments: (argument_list)? @args) @call
; is a use.
(call receiver: (_) @receiver method: [(identifier) (constant)] @name arguments: (argument_list)? @args) @call
((call !receiver method: [(identifier) (constant)] @name arguments: (argument_list)? @args) @call
  (#not-any-of? @name
    "require" "require_relative" "load" "autoload" "include" "extend" "prepend" "attr" "attr_accessor" "attr_reader"
    "attr_writer" "private" "protected" "public" "private_class_method" "private_constant" "module_function"
    "alias_method" "define_method" "raise" "lambda" "proc" "loop" "block_given?"))
([
  (body_statement (identifier) @name @call)
  (block_body (identifier) @name @call)
  (then (identifier) @name @call)
  (else (identifier) @name @call)
  (ensure (identifier) @name @call)
  (do (identifier) @name @call)
  (begin (identifier) @name @call)
  (if_modifier body: (identifier) @name @call)
  (unless_modifier body: (identifier) @name @call)
] (#not-any-of? @name "private" "protected" "public" "module_function" "raise"))

; Pieces in another language: `<<~SQL`
((heredoc_body . (heredoc_content) @embedded . (heredoc_end) @language)
  (#any-of? @language "SQL" "HTML" "JSON" "YAML" "CSS" "JS" "RUBY" "XML" "GRAPHQL"))

; Other names
(exceptions (constant) @ref.type)
(exceptions (scope_resolution scope: (_) @receiver name: (constant) @ref.type))
(array_pattern class: (constant) @ref.type)
(hash_pattern class: (constant) @ref.type)
(scope_resolution scope: (_) @receiver name: (constant) @ref.use)
(constant) @ref.use
[(instance_variable) (class_variable) (global_variable)] @ref.use
(pair key: (hash_key_symbol) @ref.use !value)
((identifier) @ref.use
  (#not-any-of? @ref.use
    "require" "require_relative" "load" "autoload" "include" "extend" "prepend" "attr" "attr_accessor" "attr_reader"
    "attr_writer" "private" "protected" "public" "private_class_method" "private_constant" "module_function"
    "alias_method" "define_method" "raise" "lambda" "proc" "loop" "block_given?" "_"))
