import { progress } from '@clack/prompts'

/** Receives the progress of a long task. */
export interface Progress {
  begin(what: string, steps: number): void
  advance(steps: number): void
  end(): void
}

/** For scripts: prints nothing. */
export const quiet: Progress = { begin() {}, advance() {}, end() {} }

/** A progress bar per task on `stream`; prints nothing if it is no terminal. */
export function shownTo(stream: NodeJS.WriteStream): Progress {
  if (!stream.isTTY) return quiet
  let bar: ReturnType<typeof progress> | undefined
  let name = ''
  // On Ctrl-C the library ends the process with exit code 0.
  process.once('exit', code => {
    if (bar && code === 0) process.exitCode = 130
  })
  return {
    begin(what, steps) {
      name = what
      bar = progress({
        max: steps,
        output: stream,
        cancelMessage: `${what}: given up, nothing was made`,
      })
      bar.start(what)
    },
    advance: steps => bar?.advance(steps, name),
    end() {
      bar?.stop(name)
      bar = undefined
    },
  }
}
