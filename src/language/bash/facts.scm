; Bash and its kin. The captures are explained in ../treesitter/README.md.
;
; A command has no node around its arguments alone, so calls have no `@args`.

(comment) @comment

; Definitions
(function_definition name: (word) @name body: (_) @body) @def.function

; Variables of the script: those that are set outside every function, also under a condition.
(program (declaration_command "readonly" (variable_assignment name: (variable_name) @name)) @def.constant)
((program (declaration_command (word) @_flag (variable_assignment name: (variable_name) @name)) @def.constant)
  (#match? @_flag "^-[a-zA-Z]*r"))
(program (declaration_command (variable_assignment name: (variable_name) @name)) @def.variable)
(program [
  (variable_assignment name: (variable_name) @name) @def.variable
  (variable_assignments (variable_assignment name: (variable_name) @name) @def.variable)
  (list (variable_assignment name: (variable_name) @name) @def.variable)
  (if_statement (variable_assignment name: (variable_name) @name) @def.variable)
  (if_statement (_ (variable_assignment name: (variable_name) @name) @def.variable))
  (case_statement (case_item (variable_assignment name: (variable_name) @name) @def.variable))
])

; Names that functions and loops bind
(program (for_statement) @scope)
(declaration_command ["local" "declare" "typeset" "readonly"] (variable_assignment name: (variable_name) @local))
(declaration_command ["local" "declare" "typeset" "readonly"] (variable_name) @local)
(for_statement variable: (variable_name) @local)
((command name: (command_name (word) @_word) argument: (word) @local)
  (#any-of? @_word "read" "getopts")
  (#match? @local "^[A-Za-z_][A-Za-z0-9_]*$"))

; Imports
((command name: (command_name (word) @_word) . argument: (_) @module) @import
  (#any-of? @_word "source" ".")
  (#set! style "source"))

; Calls
((command name: (command_name (word) @name)) @call
  (#not-any-of? @name
    "." ":" "[" "{" "}" "alias" "bg" "bind" "break" "builtin" "caller" "cd" "command" "compgen" "complete"
    "continue" "declare" "dirs" "disown" "echo" "enable" "eval" "exec" "exit" "export" "false" "fc" "fg" "getopts"
    "hash" "help" "history" "jobs" "kill" "let" "local" "logout" "mapfile" "popd" "print" "printf" "pushd" "pwd" "read"
    "readarray" "readonly" "return" "set" "setopt" "shift" "shopt" "source" "suspend" "test" "time" "times" "trap"
    "true" "type" "typeset" "ulimit" "umask" "unalias" "unset" "unsetopt" "wait"
    ; What the grammar takes for commands where it loses its way.
    "@test" "case" "do" "done" "elif" "else" "esac" "fi" "for" "function" "if" "then" "until" "while"))
; Commands that run the command they are given.
((command name: (command_name (word) @_word) . argument: (word) @name) @call
  (#any-of? @_word "builtin" "command" "eval" "exec" "run" "sudo" "time" "xargs" "nohup")
  (#match? @name "^[A-Za-z_]"))

; Other names
((command name: (command_name (word) @_word) . argument: [(word) (string (string_content)) (raw_string)] @ref.use)
  (#eq? @_word "trap")
  (#match? @ref.use "^[A-Za-z_][A-Za-z0-9_]*$"))
((command name: (command_name (word) @_word) argument: (word) @ref.use)
  (#eq? @_word "export")
  (#match? @ref.use "^[A-Za-z_]"))
((variable_name) @ref.use
  (#match? @ref.use "^[A-Za-z_]")
  (#not-any-of? @ref.use
    "_" "BASH_SOURCE" "BASH_REMATCH" "FUNCNAME" "HOME" "IFS" "LINENO" "OLDPWD" "OPTARG" "OPTIND" "PATH" "PIPESTATUS" "PWD"
    "RANDOM" "REPLY" "SECONDS" "SHELL" "USER"))
