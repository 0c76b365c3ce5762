import t from 'tap'
import { z } from 'zod'
import { defineEvent } from '../../shared/events/event.js'
import { eventDefs } from '../../shared/events/index.js'
import { codeOnly } from './code-only.js'
import { brokenEvents, isEventDef } from './events.js'
import { sourcesIn } from './sources.js'

t.test('every event type is in a file of its name and is listed', async t => {
  const files = []
  for (const { path, text } of sourcesIn(['shared/events'])) {
    if (!/=\s*defineEvent\b/.test(codeOnly(text))) continue
    const exported = await import(new URL(`../../${path.replace(/\.ts$/, '.js')}`, import.meta.url).href)
    files.push({ path, defs: Object.values(exported).filter(isEventDef) })
  }
  t.ok(files.length > 0, 'there are events')
  t.same(brokenEvents(files, eventDefs), [])
  const defined = new Set(files.flatMap(({ defs }) => defs.map(({ name }) => name)))
  t.same(
    [...eventDefs.keys()].filter(name => !defined.has(name)),
    [],
    'nothing is listed that has no file',
  )
})

t.test('the law finds', async t => {
  const path = 'shared/events/thing.ts'
  const added = defineEvent('thing/add', { doc: 'A thing was added.', fields: z.object({}) })
  const listed = new Map([[added.name, added]])

  t.same(brokenEvents([{ path, defs: [added] }], listed), [])
  t.same(brokenEvents([{ path: 'shared/events/thing-add.ts', defs: [added] }], listed), [])

  t.test('an event that is in no list', async t => {
    t.match(brokenEvents([{ path, defs: [added] }], new Map()), [/thing\/add is not listed/])
  })
  t.test('an event that is defined twice', async t => {
    const again = defineEvent('thing/add', { doc: 'Again.', fields: z.object({}) })
    const files = [
      { path, defs: [added] },
      { path: 'shared/events/thing-add.ts', defs: [again] },
    ]
    t.match(brokenEvents(files, listed), [/thing\/add is defined in .*thing\.ts, too/, /not listed/])
  })
  t.test('an event in a file of another name', async t => {
    t.match(brokenEvents([{ path: 'shared/events/stuff.ts', defs: [added] }], listed), [/its file is thing\.ts/])
  })
  t.test('an event without a doc', async t => {
    const silent = defineEvent('thing/add', { doc: '', fields: z.object({}) })
    t.match(brokenEvents([{ path, defs: [silent] }], new Map([[silent.name, silent]])), [/has no doc/])
  })
})
