; CSS. The captures are explained in ../treesitter/README.md.

(comment) @comment

; A rule is one definition for each of its selectors.
(rule_set (selectors (_) @name) (block) @body) @def.rule
(keyframes_statement (keyframes_name) @name (keyframe_block_list) @body) @def.rule
((at_rule (at_keyword) @name (block) @body) @def.rule (#not-any-of? @name "@layer" "@container" "@scope"))
((at_rule (at_keyword) @_word . (_) @name (block) @body) @def.block (#any-of? @_word "@layer" "@container" "@scope"))
(media_statement . (_) @name (block) @body) @def.block
(supports_statement . (_) @name (block) @body) @def.block
((declaration . (property_name) @name) @def.variable (#match? @name "^--"))

; Imports
(import_statement . (string_value) @module) @import
(import_statement . (call_expression (arguments . (_) @module))) @import
((call_expression (function_name) @_function (arguments . [(string_value) (plain_value)] @module)) @import
  (#eq? @_function "url") (#not-match? @module "^[\"']?(data:|#)") (#set! style "url"))

; Custom properties and animations where they are used
((call_expression (function_name) @_function (arguments . (plain_value) @ref.use)) (#eq? @_function "var"))
((declaration . (property_name) @_property (plain_value) @ref.use)
  (#any-of? @_property "animation" "animation-name")
  (#not-any-of? @ref.use
    "alternate" "alternate-reverse" "backwards" "both" "ease" "ease-in" "ease-in-out" "ease-out" "forwards" "infinite" "inherit"
    "initial" "linear" "none" "normal" "paused" "reverse" "running" "unset"))
