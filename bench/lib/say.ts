/** Progress messages, on standard error, because standard output contains the results. */
export const say = (text: string): void => void process.stderr.write(`${text}\n`)
