import { existsSync, readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { join } from 'node:path'
import { root } from '../../server/bin/prepare.mjs'

// Characters of output kept of a process that ended early: its last lines are the most useful.
const maxOutput = 3000

export const noResults = { passed: 0, failures: [], skips: [], comments: [] }

// Comments that tap itself writes.
const ownComment = /^# (?:time=|Subtest: |failed \d|skip: |todo: )/

/**
 * The results of a test file: single asserts at any depth, failures as text, and the file's own comments. Skipped asserts count as neither. A
 * file with an incomplete plan has failed even without a failed assert.
 */
export async function resultsOf({ file, text, errors }) {
  const { Parser } = await import('tap-parser')
  const events = Parser.parse(text, { flat: true })
  const asserts = events.flatMap(([type, result]) => (type === 'assert' ? [result] : []))
  const counted = asserts.filter(({ skip, todo }) => !skip && !todo)
  const failed = counted.filter(({ ok }) => !ok)
  const failures = failed.map(({ fullname, diag }) => `${file} > ${fullname}\n${inSource(detailsOf(diag))}`)
  const isComplete = events.some(([type, result]) => type === 'complete' && result.ok)
  if (failures.length === 0 && !isComplete) failures.push(`${file} is incomplete:\n${lastOf(text)}`)
  if (failures.length > 0 && errors) failures.push(`${failures.pop()}\non standard error:\n${inSource(errors)}`)
  return {
    passed: counted.length - failed.length,
    failures,
    comments: events.flatMap(([type, text]) =>
      type === 'comment' && !ownComment.test(text) ? [text.slice(2).trim()] : [],
    ),
    skips: asserts.flatMap(({ skip }) => (typeof skip === 'string' ? [skip] : [])),
  }
}

/** The results of a file or process that ended with a bad status or before it was asked to. */
export const endedEarly = (file, { status, signal }, output) => ({
  ...noResults,
  failures: [`${file} ended with ${signal ?? `exit code ${status}`}; the end of what it wrote:\n${lastOf(output)}`],
})

const detailsOf = diag => (diag ? JSON.stringify(diag, undefined, 2).replaceAll('\\n', '\n') : '')
const lastOf = text => inSource(text.slice(-maxOutput))

/** Replaces positions in compiled files by those in the sources. */
function inSource(text) {
  return text.replace(
    /(?:file:\/\/)?[\w./-]*\bdist\/([\w./-]+\.js)(?:\?\d+)?:(\d+):(\d+)/g,
    (place, file, line, column) => {
      const map = join(root, 'dist', `${file}.map`)
      if (!existsSync(map)) return place
      const { originalLine } = new SourceMap(JSON.parse(readFileSync(map, 'utf8'))).findEntry(line - 1, column - 1)
      return originalLine === undefined ? place : `${file.replace(/\.js$/, '.ts')}:${originalLine + 1}`
    },
  )
}
