import { Test, t as wholeProcess } from 'tap'

// What test files get for `import t from 'tap'`, see resolve-tap.mjs: the test that stands for the present file.
let current

export { current as default }

// tap's test of the whole process is not used here; its time must not run out.
wholeProcess.setTimeout(0)

/** Runs a file as one test; resolves with its TAP. Only one file at a time. */
export function runAsTest(file, { timeoutMs, run }) {
  const test = new Test({ name: file, timeout: timeoutMs, cb: run })
  current = test.t
  const output = []
  test.on('data', text => output.push(text))
  return new Promise(resolve => {
    test.on('end', () => {
      test.setTimeout(0)
      resolve(output.join(''))
    })
    test.runMain(() => undefined)
  })
}
