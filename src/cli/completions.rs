//! `contextpack completions` and `contextpack man`: the table of commands in other forms.

use std::path::PathBuf;

use clap::{Args, CommandFactory as _};
use clap_complete::Shell;

use super::{Arguments, DONE, Failure, print};

/// Print what makes a shell complete commands and options
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    contextpack completions bash > contextpack.bash\n  \
    contextpack completions fish > contextpack.fish\n\n\
    Source the file from your shell's start-up file, or put it where the shell looks for such files:\n\
    ~/.local/share/bash-completion/completions/contextpack, a folder of zsh's $fpath as _contextpack,\n\
    ~/.config/fish/completions/contextpack.fish.\n\n\
    Exit code: 0 done, 2 could not run.")]
pub struct CompletionsArguments {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

pub fn completions(arguments: &CompletionsArguments) -> Result<u8, Failure> {
    let mut text = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "contextpack", &mut text);
    print(&String::from_utf8_lossy(&text))?;
    Ok(DONE)
}

/// Print the manual page, or write one page per command
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    contextpack man > contextpack.1\n  \
    contextpack man --out man/man1\n\n\
    Exit code: 0 done, 2 could not run.")]
pub struct ManArguments {
    /// Write one page per command to DIR
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub fn man(arguments: &ManArguments) -> Result<u8, Failure> {
    let failure = |error: std::io::Error| Failure::other(format!("cannot write the pages\n  because {error}"));
    match &arguments.out {
        None => {
            let mut page = Vec::new();
            clap_mangen::Man::new(Arguments::command()).render(&mut page).map_err(failure)?;
            print(&String::from_utf8_lossy(&page))?;
        }
        Some(folder) => {
            std::fs::create_dir_all(folder).map_err(failure)?;
            clap_mangen::generate_to(Arguments::command(), folder).map_err(failure)?;
        }
    }
    Ok(DONE)
}
