import t from 'tap'
import { Listener } from '../../support/in-step.js'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'
import { clear, freshPattern, listed, url_template, withoutRights } from './scene.js'

const server = await startServer(t)

/** One linkifier with all fields, alone in the list. */
async function oneLinkifier() {
  const admin = await clear(server)
  const { prefix, pattern } = freshPattern()
  const linkifier = {
    pattern,
    url_template,
    example_input: `${prefix}1`,
    reverse_template: `${prefix}{id}`,
    alternative_url_templates: ['https://old.example/{id}'],
  }
  const { id } = await admin.ok('POST', '/realm/filters', linkifier)
  return { admin, id, prefix, linkifier }
}

const only = async (person: Person) => (await listed(person))[0]

t.test('every field changes; what is not given stays', async t => {
  const { admin, id, prefix, linkifier } = await oneLinkifier()
  const { pattern } = linkifier
  const ear = await Listener.start(server.ctx, await server.person())
  const change = (params: Record<string, unknown>) =>
    admin.ok('PATCH', `/realm/filters/${id}`, { pattern, url_template, ...params })

  await change({ url_template: 'https://new.example/{id}' })
  t.same(await only(admin), { id, ...linkifier, url_template: 'https://new.example/{id}' })
  await change({ alternative_url_templates: [] })
  t.same(await only(admin), { id, ...linkifier, alternative_url_templates: [] })
  await change({ reverse_template: '' })
  t.same(await only(admin), { id, ...linkifier, reverse_template: null, alternative_url_templates: [] })
  await change({ example_input: '' })
  const bare = { id, pattern, url_template, example_input: null, reverse_template: null, alternative_url_templates: [] }
  t.same(await only(admin), bare)
  await change({ example_input: `${prefix}22`, reverse_template: `${prefix}{id}` })
  await change({ reverse_template: null })
  t.same(await only(admin), { ...bare, example_input: `${prefix}22` })
  await change({ example_input: `${prefix}22`, reverse_template: `${prefix}{id}` })
  t.same(await only(admin), { ...bare, example_input: `${prefix}22`, reverse_template: `${prefix}{id}` })
  await change({ pattern: `(?P<id>${prefix}[0-9]+)`, example_input: '', reverse_template: '' })
  t.same(await only(admin), { ...bare, pattern: `(?P<id>${prefix}[0-9]+)` })

  const events = await ear.inStep(t)
  t.equal(events.length, 8)
  t.match(events[7], { type: 'realm_linkifiers', realm_linkifiers: [{ id }] })
})

t.test('a change without an effect makes no event', async t => {
  const { admin, id, linkifier } = await oneLinkifier()
  const ear = await Listener.start(server.ctx, admin)
  const { pattern } = linkifier
  await admin.ok('PATCH', `/realm/filters/${id}`, { pattern, url_template })
  await admin.ok('PATCH', `/realm/filters/${id}`, linkifier)
  t.same(await ear.inStep(t), [])
})

t.test('people and input that are refused', async t => {
  const { admin, id, prefix, linkifier } = await oneLinkifier()
  const { pattern } = linkifier
  const { pattern: taken } = freshPattern()
  await admin.ok('POST', '/realm/filters', { pattern: taken, url_template })
  const before = await listed(admin)
  const others = await withoutRights(server)
  const ear = await Listener.start(server.ctx, admin)
  for (const person of others) {
    const answer = await person.patch(`/realm/filters/${id}`, { pattern, url_template })
    t.match(answer, { status: 400, body: { code: 'UNAUTHORIZED_PRINCIPAL' } }, person.full_name)
  }
  const errors = (field: string) => ({ code: 'BAD_REQUEST', errors: { [field]: [/./] } })
  const good = { pattern, url_template }
  const cases: [string, Record<string, unknown>, Record<string, unknown>][] = [
    ['no pattern', { url_template }, { code: 'REQUEST_VARIABLE_MISSING', var_name: 'pattern' }],
    ['no template', { pattern }, { code: 'REQUEST_VARIABLE_MISSING', var_name: 'url_template' }],
    ['alternatives no list', { ...good, alternative_url_templates: '{}' }, { code: 'BAD_REQUEST' }],
    ['no regular expression', { ...good, pattern: '(' }, errors('pattern')],
    ['taken pattern', { ...good, pattern: taken, example_input: '', reverse_template: '' }, errors('__all__')],
    ['bad template', { ...good, url_template: '{' }, errors('url_template')],
    ['template without the group', { ...good, url_template: 'https://x/' }, errors('__all__')],
    ['kept example does not match', { ...good, pattern: 'U(?P<id>[0-9]+)' }, errors('example_input')],
    ['kept reverse template misses', { ...good, pattern: `(?P<id>${prefix}[0-9]+)` }, errors('reverse_template')],
    [
      'kept alternative with another variable',
      { pattern: `${prefix}(?P<no>[0-9]+)`, url_template: 'https://x/{no}', reverse_template: `${prefix}{no}` },
      errors('alternative_url_templates'),
    ],
    ['unbalanced', { ...good, reverse_template: '{' }, errors('reverse_template')],
    ['empty variable', { ...good, reverse_template: `${prefix}{}` }, errors('reverse_template')],
    ['unknown variable', { ...good, reverse_template: `${prefix}{x}` }, errors('reverse_template')],
    ['another text', { ...good, reverse_template: `${prefix}{id}!` }, errors('reverse_template')],
    [
      'example taken from the reverse template',
      { ...good, example_input: '' },
      { code: 'BAD_REQUEST', set_parameter: 'reverse_template', required_parameter: 'example_input' },
    ],
  ]
  for (const [title, params, body] of cases) {
    t.match(await admin.patch(`/realm/filters/${id}`, params), { status: 400, body }, title)
  }
  for (const unknown of ['0', '2000000000', '99999999999']) {
    const answer = await admin.patch(`/realm/filters/${unknown}`, good)
    t.match(answer, { status: 400, body: { code: 'BAD_REQUEST' } }, `linkifier ${unknown}`)
    t.notOk(answer.body.errors)
  }
  t.equal((await admin.patch('/realm/filters/x', good)).status, 404, 'no number')
  t.same(await listed(admin), before)
  t.same(await ear.inStep(t), [])
})

t.test('a change and a removal at once: one after the other', async t => {
  const { admin, id, linkifier } = await oneLinkifier()
  const ear = await Listener.start(server.ctx, admin)
  const [changed, removed] = await Promise.all([
    admin.patch(`/realm/filters/${id}`, { ...linkifier, url_template: 'https://new.example/{id}' }),
    admin.delete(`/realm/filters/${id}`),
  ])
  t.equal(removed.status, 200)
  t.same(await listed(admin), [])
  t.equal((await ear.inStep(t)).length, changed.status === 200 ? 2 : 1)
})
