/** What goes on, for the person who waits: on standard error, because results go to standard output. */
export const say = (text: string): void => void process.stderr.write(`${text}\n`)
