import { progress } from '@clack/prompts'

/** Told of how far a long piece of work is. */
export interface Progress {
  begin(what: string, steps: number): void
  advance(steps: number): void
  end(): void
}

/** For scripts: says nothing. */
export const quiet: Progress = { begin() {}, advance() {}, end() {} }

/** A bar for each piece of work, on standard error; nothing where nobody looks at it. */
export function shownTo(stream: NodeJS.WriteStream): Progress {
  if (!stream.isTTY) return quiet
  let bar: ReturnType<typeof progress> | undefined
  let name = ''
  // The library ends the program on Ctrl-C, and calls that a success.
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
