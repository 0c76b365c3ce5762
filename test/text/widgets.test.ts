import t from 'tap'
import { checkAct, formOf, widgetOf } from '../../server/text/widgets.js'

const read = (content: string) => JSON.parse(widgetOf(content) ?? 'null')
const poll = widgetOf('/poll Lunch?\nsoup') as string
const todo = widgetOf('/todo') as string
const act =
  (first: string | undefined, content: unknown, isSender = false) =>
  () =>
    checkAct(first, typeof content === 'string' ? content : JSON.stringify(content), isSender)
const bad = { code: 'BAD_REQUEST' }

t.test('the first word makes a widget', async t => {
  t.same(read('/poll Where to eat?\n- soup place\n* bar\n\n  grill  \n- soup place'), {
    widget_type: 'poll',
    extra_data: { question: 'Where to eat?', options: ['soup place', 'bar', 'grill', 'soup place'] },
  })
  t.same(read('/poll').extra_data, { question: '', options: [] })
  t.same(read('/todo Chores\nwash: the red car: today\n- dry'), {
    widget_type: 'todo',
    extra_data: {
      task_list_title: 'Chores',
      tasks: [
        { task: 'wash', desc: 'the red car: today' },
        { task: 'dry', desc: '' },
      ],
    },
  })
  for (const text of ['/polls', '/Poll x', ' /poll x', 'x /poll', '/poll: x', '/me polls', '/to do']) {
    t.equal(widgetOf(text), undefined, text)
  }
})

t.test('a form has strings in all places', async t => {
  const choice = { short_name: 'A', long_name: 'Apples', reply: 'a' }
  const form = { widget_type: 'zform', extra_data: { type: 'choices', heading: 'Fruit', choices: [choice] } }
  t.same(JSON.parse(formOf(JSON.stringify(form))), form)
  for (const wrong of [
    'no JSON',
    '[]',
    'null',
    { ...form, widget_type: 'poll' },
    { ...form, more: 1 },
    { ...form, extra_data: null },
    { ...form, extra_data: { ...form.extra_data, type: 'list' } },
    { ...form, extra_data: { ...form.extra_data, heading: 1 } },
    { ...form, extra_data: { ...form.extra_data, choices: [{ ...choice, reply: undefined }] } },
  ]) {
    const text = typeof wrong === 'string' ? wrong : JSON.stringify(wrong)
    t.throws(() => formOf(text), bad, text)
  }
})

t.test('readers vote, add and strike', async t => {
  for (const content of [
    { type: 'vote', key: 'canned,0', vote: 1 },
    { type: 'vote', key: 'unknown', vote: -1 },
    { type: 'new_option', option: 'grill', idx: 1 },
  ]) {
    t.doesNotThrow(act(poll, content), JSON.stringify(content))
  }
  for (const content of [
    { type: 'new_task', key: 0, task: 'wash', desc: '', completed: false },
    { type: 'strike', key: '0,canned' },
  ]) {
    t.doesNotThrow(act(todo, content), JSON.stringify(content))
  }
})

t.test('only the sender changes the question and the title', async t => {
  for (const [first, content] of [
    [poll, { type: 'question', question: 'Dinner?' }],
    [todo, { type: 'new_task_list_title', title: 'Chores' }],
  ] as const) {
    t.doesNotThrow(act(first, content, true))
    t.throws(act(first, content), bad)
  }
})

t.test('what has another form is refused', async t => {
  for (const [first, content] of [
    [poll, 'no JSON'],
    [poll, 'null'],
    [poll, []],
    [poll, '['.repeat(5000)],
    [poll, { type: 'shout' }],
    [poll, { type: 'strike', key: '0,canned' }],
    [poll, { type: 'vote', key: 'canned,0' }],
    [poll, { type: 'vote', key: 'canned,0', vote: 2 }],
    [poll, { type: 'vote', key: 0, vote: 1 }],
    [poll, { type: 'vote', key: 'canned,0', vote: 1, more: true }],
    [poll, { type: 'new_option', option: 'x', idx: 1001 }],
    [poll, { type: 'new_option', option: 'x', idx: -1 }],
    [poll, { type: 'new_option', option: 'x', idx: 0.5 }],
    [todo, { type: 'vote', key: 'canned,0', vote: 1 }],
    [todo, { type: 'new_task', key: 0, task: 'x', desc: '' }],
    [todo, { type: 'new_task', key: 'x', task: 'x', desc: '', completed: false }],
  ] as const) {
    for (const isSender of [false, true]) t.throws(act(first, content, isSender), bad, JSON.stringify(content))
  }
})

t.test('to other messages only the sender adds submessages', async t => {
  const form = '{"widget_type":"zform","extra_data":{}}'
  for (const first of [undefined, form]) {
    t.doesNotThrow(act(first, { anything: true }, true))
    t.throws(act(first, { anything: true }), bad)
    t.throws(act(first, 'no JSON', true), bad)
  }
})
