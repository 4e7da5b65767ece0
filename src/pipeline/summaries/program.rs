//! Runs a program of the user's on a text, with limits on its time and its output.

use std::io::{Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

pub struct Limits {
    pub time: Duration,
    pub output_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { time: Duration::from_secs(60), output_bytes: 1 << 20 }
    }
}

impl Limits {
    fn exceeded(&self) -> String {
        format!("it takes longer than {} s", self.time.as_secs())
    }
}

/// How long an exit is waited for before it is looked for again.
const PAUSE: Duration = Duration::from_millis(2);

/// What a program prints for a text on its standard input, without white space around it. There is no shell, and no
/// environment but the search path. The reason if it fails, prints nothing, or exceeds a limit.
pub fn run(command: &[String], text: &str, limits: &Limits) -> Result<String, String> {
    let deadline = Instant::now() + limits.time;
    let mut child = spawn(command).map_err(|error| format!("it cannot be run: {error}"))?;
    write_all(child.stdin.take(), text.to_string());
    let output = read_all(child.stdout.take(), limits.output_bytes + 1);
    let ended = received(&output, limits).and_then(|bytes| Ok((bytes, exit_status(&mut child, deadline, limits)?)));
    let (bytes, status) = ended.inspect_err(|_| kill(&mut child))?;
    answer(bytes, status)
}

fn spawn(command: &[String]) -> std::io::Result<Child> {
    let (program, arguments) = command.split_first().ok_or(std::io::ErrorKind::NotFound)?;
    let mut command = Command::new(program);
    command.args(arguments).env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    // A group of its own, so that what it starts ends with it.
    command.process_group(0).spawn()
}

/// In a thread, because a program may print before it has read everything. One that does not read it may succeed.
fn write_all(input: Option<ChildStdin>, text: String) {
    thread::spawn(move || input.map(|mut input| input.write_all(text.as_bytes())));
}

fn read_all(output: Option<ChildStdout>, max_bytes: u64) -> Receiver<std::io::Result<Vec<u8>>> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let read = output.map_or(Ok(0), |output| output.take(max_bytes).read_to_end(&mut bytes));
        // Nobody listens any more after the deadline.
        let _ = sender.send(read.map(|_| bytes));
    });
    receiver
}

fn received(output: &Receiver<std::io::Result<Vec<u8>>>, limits: &Limits) -> Result<Vec<u8>, String> {
    let bytes = output.recv_timeout(limits.time).map_err(|_| limits.exceeded())?;
    let bytes = bytes.map_err(|error| format!("its output cannot be read: {error}"))?;
    let is_short = bytes.len() as u64 <= limits.output_bytes;
    if is_short { Ok(bytes) } else { Err(format!("it prints more than {} bytes", limits.output_bytes)) }
}

fn exit_status(child: &mut Child, deadline: Instant, limits: &Limits) -> Result<ExitStatus, String> {
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Ok(status),
            Ok(None) if Instant::now() < deadline => thread::sleep(PAUSE),
            Ok(None) => return Err(limits.exceeded()),
            Err(error) => return Err(format!("it cannot be waited for: {error}")),
        }
    }
}

fn answer(bytes: Vec<u8>, status: ExitStatus) -> Result<String, String> {
    let text = String::from_utf8(bytes).map_err(|_| "it prints what is not UTF-8".to_string())?;
    match text.trim() {
        _ if !status.success() => Err(format!("it fails: {status}")),
        "" => Err("it prints nothing".to_string()),
        answer => Ok(answer.to_string()),
    }
}

/// Ends the program and everything that it started.
#[expect(unsafe_code, reason = "the standard library ends no groups")]
fn kill(child: &mut Child) {
    // SAFETY: nobody waited for the child yet, so the number of its group is not that of another one.
    unsafe { libc::kill(-(child.id() as libc::pid_t), libc::SIGKILL) };
    let _ = child.wait();
}
