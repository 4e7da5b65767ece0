; Elixir. The captures are explained in ../treesitter/README.md.
;
; To the grammar everything is a call, `def` too. A bare identifier is a variable, or else a call
; without parentheses that cannot be told from one, so identifiers alone are no uses.

(comment) @comment

; Modules. One with a struct is that struct.
((call target: (identifier) @_word (arguments . (alias) @name) (do_block (call target: (identifier) @_struct)) @body) @def.struct
  (#eq? @_word "defmodule")
  (#any-of? @_struct "defstruct" "defexception" "schema" "embedded_schema"))
((call target: (identifier) @_word (arguments . (alias) @name) (do_block) @body) @def.namespace
  (#eq? @_word "defmodule"))
((call target: (identifier) @_word (arguments . (alias) @name) (do_block) @body) @def.interface
  (#eq? @_word "defprotocol"))
((call target: (identifier) @_word (arguments . (alias) @ref.inherit
    (keywords (pair key: (keyword) @_for value: [(alias) @name (list (alias) @name)]))) (do_block) @body) @def.impl
  (#eq? @_word "defimpl")
  (#match? @_for "^for:"))
((call target: (identifier) @_word (arguments . (alias) @name .) (do_block) @body) @def.impl
  (#eq? @_word "defimpl"))
((call target: (identifier) @_word (do_block (unary_operator operator: "@" operand: (call
    target: (identifier) @_attribute (arguments . [(string) (sigil)] @doc))))) @def.namespace
  (#any-of? @_word "defmodule" "defprotocol")
  (#eq? @_attribute "moduledoc"))

; Functions and macros. The patterns without a name add to those with one.
((call target: (identifier) @_word (arguments . [
    (identifier) @name
    (call target: (identifier) @name)
    (binary_operator left: [(identifier) @name (call target: (identifier) @name)] operator: "when")
  ])) @def.function
  (#any-of? @_word "def" "defp" "defdelegate" "defn" "defnp"))
((call target: (identifier) @_word (arguments . [
    (identifier) @name
    (call target: (identifier) @name)
    (binary_operator left: [(identifier) @name (call target: (identifier) @name)] operator: "when")
  ])) @def.macro
  (#any-of? @_word "defmacro" "defmacrop" "defguard" "defguardp"))
((call target: (identifier) @_word (arguments . (binary_operator
    left: (identifier) operator: ["+" "-" "*" "/" "<>" "++" "--" "==" "<" ">" "<=" ">=" "~>" "<~" "|>" "<~>" "~>>" "<<~" "|||" "&&&"] @name
    right: (identifier)))) @def.function
  (#any-of? @_word "def" "defp" "defmacro"))
((call target: (identifier) @_word (do_block) @body) @def.function
  (#any-of? @_word "def" "defp" "defmacro" "defmacrop" "defn" "defnp"))
((call target: (identifier) @_word (arguments (keywords . (pair key: (keyword) @_do)) @body)) @def.function
  (#any-of? @_word "def" "defp" "defmacro" "defmacrop")
  (#match? @_do "^do:"))
((call target: (identifier) @private) @def.function
  (#any-of? @private "defp" "defmacrop" "defguardp" "defnp"))
((unary_operator operator: "@" operand: (call target: (identifier) @_attribute (arguments . [(string) (sigil)] @doc)))
  . (unary_operator operator: "@")* . (call target: (identifier) @_word) @def.function
  (#eq? @_attribute "doc")
  (#any-of? @_word "def" "defmacro" "defdelegate" "defguard" "defn"))

((unary_operator operator: "@" operand: (call target: (identifier) @_attribute (arguments . (binary_operator operator: "::" right: (_) @type))))
  . (unary_operator operator: "@")* . (call target: (identifier) @_word) @def.function
  (#eq? @_attribute "spec")
  (#any-of? @_word "def" "defp" "defmacro" "defdelegate"))

; Tests
((call target: (identifier) @_word (arguments . (string) @name) (do_block) @body) @def.function
  (#any-of? @_word "test" "property"))
((call target: (identifier) @_word (arguments . (string) @name) (do_block) @body) @def.namespace
  (#eq? @_word "describe"))

; Types, callbacks, the fields of structs, and attributes that hold values
((unary_operator operator: "@" operand: (call target: (identifier) @_word (arguments
    (binary_operator left: [(identifier) @name (call target: (identifier) @name)] operator: "::" right: (_) @type)))) @def.type
  (#any-of? @_word "type" "typep" "opaque"))
((unary_operator operator: "@" operand: (call target: (identifier) @private)) @def.type
  (#eq? @private "typep"))
((unary_operator operator: "@" operand: (call target: (identifier) @_word (arguments
    (binary_operator left: (call target: (identifier) @name) operator: "::" right: (_) @type)))) @def.method
  (#any-of? @_word "callback" "macrocallback"))
((call target: (identifier) @_word (arguments [
    (list (keywords (pair key: (keyword) @name) @def.field))
    (keywords (pair key: (keyword) @name) @def.field)
    (list (atom) @name @def.field)
  ]))
  (#any-of? @_word "defstruct" "defexception"))
((call target: (identifier) @_word (arguments . (atom) @name . (_)? @type)) @def.field
  (#any-of? @_word "field" "belongs_to" "has_many" "has_one" "many_to_many" "embeds_one" "embeds_many"))
((do_block (unary_operator operator: "@" operand: (call target: (identifier) @name (arguments))) @def.constant)
  (#not-any-of? @name
    "after_compile" "before_compile" "behaviour" "callback" "compile" "deprecated" "derive" "dialyzer" "doc" "enforce_keys"
    "external_resource" "impl" "macrocallback" "moduledoc" "moduletag" "on_definition" "on_load" "opaque" "optional_callbacks"
    "spec" "tag" "type" "typedoc" "typep"))
((unary_operator operator: "@" operand: (call target: (identifier) @_attribute)) @prefix
  (#any-of? @_attribute "deprecated" "dialyzer" "doc" "impl" "spec" "tag" "typedoc"))

; Imports
((call target: (identifier) @_word (arguments . (alias) @module .)) @import
  (#eq? @_word "alias") (#set! style "alias"))
((call target: (identifier) @_word (arguments . (alias) @module . (keywords (pair key: (keyword) @_as value: (alias) @alias)))) @import
  (#any-of? @_word "alias" "require")
  (#match? @_as "^as:")
  (#set! style "alias"))
((call target: (identifier) @_word (arguments . (dot left: (alias) @module right: (tuple (alias) @name)))) @import
  (#eq? @_word "alias") (#set! style "alias"))
((call target: (identifier) @_word (arguments . (alias) @module)) @import
  (#eq? @_word "import") (#set! name "*") (#set! style "import"))
((call target: (identifier) @_word (arguments . (alias) @module .)) @import
  (#eq? @_word "require") (#set! style "require"))
((call target: (identifier) @_word (arguments . (alias) @module)) @import
  (#eq? @_word "use") (#set! style "use"))
((unary_operator operator: "@" operand: (call target: (identifier) @_word (arguments (alias) @ref.inherit)))
  (#eq? @_word "behaviour"))

; The name of an attribute, and of the function that a spec is about, is no call. Outside functions a
; local binds nothing, so this only takes the name away; so it does for what an alias shortens.
(unary_operator operator: "@" operand: (call target: (identifier) @local))
((unary_operator operator: "@" operand: (call target: (identifier) @_word (arguments [
    (binary_operator left: (call target: (identifier) @local) operator: "::")
    (binary_operator left: (binary_operator left: (call target: (identifier) @local) operator: "::") operator: "when")
  ])))
  (#any-of? @_word "spec" "type" "typep" "opaque" "callback" "macrocallback"))

((call target: (identifier) @_word (arguments . [
    (dot left: (alias) @local right: (tuple))
    ((alias) @local . (keywords (pair key: (keyword) @_as)))
  ]))
  (#eq? @_word "alias"))

; Names that functions bind
(anonymous_function) @scope
((call target: (identifier) @_word (arguments . [
    (call (arguments [
      (identifier) @param
      (binary_operator left: (identifier) @param operator: "\\\\")
      (binary_operator left: (map (struct (alias) @type)) operator: "=" right: (identifier) @param)
      (binary_operator left: (identifier) @param operator: "=" right: (map (struct (alias) @type)))
      (binary_operator left: (map . (map_content)) operator: "=" right: (identifier) @param)
    ]))
    (binary_operator left: (call (arguments [
      (identifier) @param
      (binary_operator left: (identifier) @param operator: "\\\\")
      (binary_operator left: (map (struct (alias) @type)) operator: "=" right: (identifier) @param)
      (binary_operator left: (identifier) @param operator: "=" right: (map (struct (alias) @type)))
      (binary_operator left: (map . (map_content)) operator: "=" right: (identifier) @param)
    ])) operator: "when")
  ]))
  (#any-of? @_word "def" "defp" "defmacro" "defmacrop" "defdelegate" "defguard" "defguardp" "defn" "defnp"))
(binary_operator left: (identifier) @local operator: "=" right: [(call) (identifier) (access_call)] @value)
(binary_operator left: (identifier) @local operator: "=" right: (map (struct (alias) @type)))
(binary_operator left: (identifier) @local operator: "=" right: (binary_operator operator: "|>" right: (call) @value))
(binary_operator left: (tuple (identifier) @local) operator: "=" right: (call) @value)
(binary_operator left: (tuple (binary_operator left: (map (struct (alias) @type)) operator: "=" right: (identifier) @local)))
(tuple (binary_operator left: (identifier) @local operator: "=" right: (map (struct (alias) @type))))
((call target: (identifier) @_word (arguments (binary_operator
    left: [(identifier) @local (tuple (identifier) @local)] operator: "<-" right: (call) @value)))
  (#eq? @_word "with"))
((call target: (identifier) @_word (arguments (binary_operator
    left: [(identifier) @local (tuple (identifier) @local)] operator: "<-")))
  (#eq? @_word "for"))
(stab_clause left: (arguments [
  (identifier) @local
  (tuple (identifier) @local)
  (binary_operator left: (identifier) @local operator: "in" right: (alias) @type)
  (binary_operator left: (map (struct (alias) @type)) operator: "=" right: (identifier) @local)
]))

; Calls
((call target: (identifier) @name (arguments) @args) @call
  (#not-any-of? @name
    "alias" "case" "cond" "def" "defdelegate" "defexception" "defguard" "defguardp" "defimpl" "defmacro" "defmacrop" "defmodule"
    "defn" "defnp" "defoverridable" "defp" "defprotocol" "defstruct" "describe" "for" "if" "import" "is_atom" "is_binary"
    "is_boolean" "is_integer" "is_list" "is_map" "is_nil" "is_tuple" "property" "quote" "raise" "receive" "require" "reraise"
    "super" "test" "throw" "try" "unless" "unquote" "unquote_splicing" "use" "with"
    ; Types, which specs spell like calls.
    "any" "arity" "as_boolean" "atom" "binary" "bitstring" "boolean" "charlist" "float" "fun" "function" "integer" "iodata" "iolist"
    "keyword" "list" "map" "maybe_improper_list" "mfa" "module" "neg_integer" "no_return" "node" "non_neg_integer"
    "nonempty_list" "number" "pid" "port" "pos_integer" "reference" "string" "struct" "t" "term" "timeout" "tuple"))
((call target: (identifier) @name . (do_block)) @call
  (#not-any-of? @name "cond" "quote" "receive" "try"))
((call target: (dot left: (_) @receiver right: (identifier) @name) (arguments) @args) @call
  (#not-eq? @name "t"))
(binary_operator operator: "|>" right: (call target: (dot left: (alias) @receiver right: (identifier) @name) .) @call)
(binary_operator operator: "|>" right: (identifier) @name @call)

; Types and other names
(struct (alias) @ref.type)
((call target: (dot left: (alias) @ref.type right: (identifier) @_type)) (#eq? @_type "t"))
((binary_operator left: (identifier) operator: "in" right: (alias) @ref.type))
((binary_operator left: (identifier) operator: "in" right: (list (alias) @ref.type)))
((call target: (identifier) @_word (arguments . (alias) @ref.type)) (#any-of? @_word "raise" "reraise"))
(call target: (dot left: (_) @receiver right: (identifier) @ref.use) .)
(unary_operator operator: "&" operand: (binary_operator left: (identifier) @ref.use operator: "/"))
(unary_operator operator: "@" operand: (identifier) @ref.use)
(alias) @ref.use
