import { existsSync, readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { join } from 'node:path'
import { root } from '../../server/bin/prepare.mjs'

// Of a file that ended in the midst of something its last lines tell most.
const mostOfText = 3000

/**
 * What a file that was run showed: single asserts, however deeply nested, the failures as text. What was skipped counts as
 * neither. A file that ended badly, or before its plan was kept, has failed even if no assert did.
 */
export async function resultsOf({ file, status, signal, text, errors }) {
  const { Parser } = await import('tap-parser')
  const events = Parser.parse(text, { flat: true })
  const asserts = events.flatMap(([type, result]) => (type === 'assert' ? [result] : []))
  const counted = asserts.filter(({ skip, todo }) => !skip && !todo)
  const failed = counted.filter(({ ok }) => !ok)
  const failures = failed.map(({ fullname, diag }) => `${file} > ${fullname}\n${inSource(detailsOf(diag))}`)
  const isComplete = events.some(([type, result]) => type === 'complete' && result.ok)
  if (failures.length === 0 && (status !== 0 || !isComplete)) {
    failures.push(`${file} ended with ${signal ?? `exit code ${status}`}; the end of what it wrote:\n${lastOf(text)}`)
  }
  if (failures.length > 0 && errors) failures.push(`${failures.pop()}\non standard error:\n${inSource(errors)}`)
  return {
    passed: counted.length - failed.length,
    failures,
    skips: asserts.flatMap(({ skip }) => (typeof skip === 'string' ? [skip] : [])),
  }
}

const detailsOf = diag => (diag ? JSON.stringify(diag, undefined, 2).replaceAll('\\n', '\n') : '')
const lastOf = text => inSource(text.slice(-mostOfText))

/** Places of compiled files as those of their sources. */
function inSource(text) {
  return text.replace(/(?:file:\/\/)?[\w./-]*\bdist\/([\w./-]+\.js):(\d+):(\d+)/g, (place, file, line, column) => {
    const map = join(root, 'dist', `${file}.map`)
    if (!existsSync(map)) return place
    const { originalLine } = new SourceMap(JSON.parse(readFileSync(map, 'utf8'))).findEntry(line - 1, column - 1)
    return originalLine === undefined ? place : `${file.replace(/\.js$/, '.ts')}:${originalLine + 1}`
  })
}
