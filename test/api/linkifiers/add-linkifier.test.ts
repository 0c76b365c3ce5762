import t from 'tap'
import { allCapabilities, Listener } from '../../support/in-step.js'
import { startServer } from '../../support/server.js'
import { checkObject } from '../../support/wire-schemas.js'
import { clear, freshPattern, listed, url_template, withoutRights } from './scene.js'

const server = await startServer(t)

t.test('an administrator adds linkifiers; each is the last of the list', async t => {
  const admin = await clear(server)
  const [one, two] = [freshPattern(), freshPattern()]
  const first = await admin.ok('POST', '/realm/filters', { pattern: one.pattern, url_template })
  const whole = {
    pattern: two.pattern,
    url_template: 'https://bugs.example{/id}',
    example_input: `${two.prefix}7`,
    reverse_template: `${two.prefix}{id}`,
    alternative_url_templates: ['https://old.example/{id}', 'https://older.example/{id}'],
  }
  const second = await admin.ok('POST', '/realm/filters', whole)
  t.type(first.id, 'number')
  const list = await listed(await server.person({ role: 600 }))
  t.same(list, [
    {
      id: first.id,
      pattern: one.pattern,
      url_template,
      example_input: null,
      reverse_template: null,
      alternative_url_templates: [],
    },
    { id: second.id, ...whole },
  ])
  for (const linkifier of list) t.same(checkObject('linkifier', linkifier), [])
})

t.test('all users receive the whole list, except clients that do not know templates', async t => {
  const admin = await clear(server)
  const people = [admin, await server.person(), await server.person({ role: 600 })]
  people.push(await server.person({ bot_type: 1, bot_owner_id: admin.id }))
  const modern = await Promise.all(people.map(person => Listener.start(server.ctx, person)))
  const client_capabilities = { ...allCapabilities, linkifier_url_template: false }
  const old = await Promise.all(people.map(person => Listener.start(server.ctx, person, { client_capabilities })))
  const ids: number[] = []
  for (let i = 0; i < 2; i++) {
    ids.push((await admin.ok('POST', '/realm/filters', { pattern: freshPattern().pattern, url_template })).id)
  }
  for (const listener of modern) {
    const events = await listener.inStep(t)
    const told = events.map(event => [event.type, event.realm_linkifiers.map((one: { id: number }) => one.id)])
    t.same(told, [
      ['realm_linkifiers', ids.slice(0, 1)],
      ['realm_linkifiers', ids],
    ])
    t.same(listener.state.realm_filters, [])
  }
  for (const listener of old) {
    t.same(await listener.inStep(t), [])
    t.same(listener.state.realm_linkifiers, [])
  }
})

t.test('people and input that are refused', async t => {
  const admin = await clear(server)
  const { pattern: taken } = freshPattern()
  await admin.ok('POST', '/realm/filters', { pattern: taken, url_template })
  const others = await withoutRights(server)
  const ear = await Listener.start(server.ctx, admin)
  const good = () => ({ pattern: freshPattern().pattern, url_template })
  for (const person of others) {
    const answer = await person.post('/realm/filters', good())
    t.match(answer, { status: 400, body: { code: 'UNAUTHORIZED_PRINCIPAL' } }, person.full_name)
  }
  const errors = (field: string) => ({ code: 'BAD_REQUEST', errors: { [field]: [/./] } })
  const cases: [string, Record<string, unknown>, Record<string, unknown>][] = [
    ['no pattern', { url_template }, { code: 'REQUEST_VARIABLE_MISSING', var_name: 'pattern' }],
    ['no template', { pattern: 'x' }, { code: 'REQUEST_VARIABLE_MISSING', var_name: 'url_template' }],
    ['alternatives no list', { ...good(), alternative_url_templates: 'x' }, { code: 'BAD_REQUEST' }],
    ['alternatives no texts', { ...good(), alternative_url_templates: [1] }, { code: 'BAD_REQUEST' }],
    ['blank pattern', { ...good(), pattern: '' }, errors('pattern')],
    ['no regular expression', { ...good(), pattern: '#(?P<id>[0-9]+' }, errors('pattern')],
    ['look-around', { ...good(), pattern: '(?<!a)(?P<id>[0-9]+)' }, errors('pattern')],
    ['back-reference', { ...good(), pattern: '(?P<id>[0-9]+)\\1' }, errors('pattern')],
    ['too large a pattern', { ...good(), pattern: '(?P<id>(\\w{500}){2})' }, errors('pattern')],
    ['NUL', { ...good(), pattern: '\0(?P<id>[0-9]+)' }, errors('pattern')],
    ['taken pattern', { pattern: taken, url_template }, errors('__all__')],
    ['bad template', { ...good(), url_template: 'https://x/{id' }, errors('url_template')],
    ['template of a script', { ...good(), url_template: 'javascript:{id}' }, errors('url_template')],
    ['template of data', { ...good(), url_template: 'data:text/html,{id}' }, errors('url_template')],
    [
      'alternative of a script',
      { ...good(), alternative_url_templates: ['javascript:{id}'] },
      errors('alternative_url_templates'),
    ],
    ['template without the group', { ...good(), url_template: 'https://x/' }, errors('__all__')],
    ['template with another variable', { ...good(), url_template: 'https://x/{id}{x}' }, errors('__all__')],
    ['example that does not match', { ...good(), example_input: 'x' }, errors('example_input')],
    [
      'reverse template without example',
      { ...good(), reverse_template: '#{id}' },
      { code: 'BAD_REQUEST', set_parameter: 'reverse_template', required_parameter: 'example_input' },
    ],
    [
      'reverse template that does not fit',
      { pattern: '#(?P<id>[0-9]+)', url_template, example_input: '#1', reverse_template: '{id}' },
      errors('reverse_template'),
    ],
    ['bad alternative', { ...good(), alternative_url_templates: ['{'] }, errors('alternative_url_templates')],
  ]
  for (const [title, params, body] of cases) {
    const answer = await admin.post('/realm/filters', params)
    t.match(answer, { status: 400, body }, title)
    const { errors: sentences, msg } = answer.body
    if (sentences)
      t.equal(msg, Object.values(sentences as Record<string, string[]>)[0]?.[0], `${title}: msg is the first`)
  }
  t.same(
    (await listed(admin)).map(one => one.pattern),
    [taken],
    'nothing was added',
  )
  t.same(await ear.inStep(t), [])
})

t.test('of two who add the same pattern at once one is refused; different ones are both kept', async t => {
  const admin = await clear(server)
  const other = await server.person({ role: 100 })
  const ear = await Listener.start(server.ctx, admin)
  const { pattern } = freshPattern()
  const answers = await Promise.all([admin, other].map(who => who.post('/realm/filters', { pattern, url_template })))
  t.same(answers.map(answer => answer.status).sort(), [200, 400])
  t.match(answers.find(answer => answer.status === 400)?.body, { code: 'BAD_REQUEST', errors: { __all__: [/./] } })
  const more = Array.from({ length: 6 }, (_, i) =>
    (i % 2 ? admin : other).ok('POST', '/realm/filters', { pattern: freshPattern().pattern, url_template }),
  )
  const ids = (await Promise.all(more)).map(({ id }) => id)
  const list = (await listed(admin)).map(one => one.id)
  t.same(list.slice(1).sort(), ids.sort())
  t.equal((await ear.inStep(t)).length, 7)
})

t.test('another worker applies it at once', async t => {
  const second = await startServer(t, {}, server.organization)
  const admin = await clear(server)
  const there = second.api({ email: admin.email, api_key: admin.api_key })
  const { prefix, pattern } = freshPattern()
  await admin.ok('POST', '/realm/filters', { pattern, url_template })
  const { linkifiers } = await there.ok('GET', '/realm/linkifiers')
  t.same(
    linkifiers.map((one: { pattern: string }) => one.pattern),
    [pattern],
  )
  const { pattern: next, prefix: its } = freshPattern()
  await admin.ok('POST', '/realm/filters', { pattern: next, url_template })
  const { id } = await there.ok('POST', '/messages', { type: 'direct', to: [admin.id], content: `${its}8 ${prefix}9` })
  const { message } = await admin.ok('GET', `/messages/${id}`)
  t.equal(
    message.content,
    `<p><a href="https://bugs.example/8">${its}8</a> <a href="https://bugs.example/9">${prefix}9</a></p>`,
    'a message sent over it right after is rendered with the new one',
  )
})
