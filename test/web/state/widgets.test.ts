import t from 'tap'
import { nextNumber, widgetOf } from '../../../server/web/state/widgets.js'

let id = 0
const part = (sender_id: number, content: unknown) => ({
  id: ++id,
  message_id: 1,
  sender_id,
  msg_type: 'widget',
  content: typeof content === 'string' ? content : JSON.stringify(content),
})
const poll = part(1, { widget_type: 'poll', extra_data: { question: 'Lunch?', options: ['soup', 'bread', 'soup'] } })
const todo = part(1, { widget_type: 'todo', extra_data: { task_list_title: '', tasks: [{ task: 'wash', desc: 'x' }] } })

t.test('a poll is what its submessages result in', async t => {
  const parts = [
    poll,
    part(2, { type: 'vote', key: 'canned,0', vote: 1 }),
    part(3, { type: 'vote', key: 'canned,0', vote: 1 }),
    part(2, { type: 'vote', key: 'canned,0', vote: -1 }),
    part(3, { type: 'vote', key: 'canned,0', vote: 1 }),
    part(2, { type: 'vote', key: 'unknown', vote: 1 }),
    part(2, { type: 'new_option', option: 'grill', idx: 4 }),
    part(3, { type: 'new_option', option: 'grill', idx: 1 }),
    part(3, { type: 'vote', key: '2,4', vote: 1 }),
    part(1, { type: 'question', question: 'Dinner?' }),
    part(1, 'no JSON'),
    part(1, 'null'),
  ]
  t.same(widgetOf(parts), {
    poll: {
      question: 'Dinner?',
      options: [
        { key: 'canned,0', text: 'soup', voters: [3] },
        { key: 'canned,1', text: 'bread', voters: [] },
        { key: '2,4', text: 'grill', voters: [3] },
      ],
    },
  })
  t.equal(nextNumber(parts, 2), 5)
  t.equal(nextNumber(parts, 1), 1)
})

t.test('a to-do list, too', async t => {
  const parts = [
    todo,
    part(2, { type: 'new_task', key: 1, task: 'dry', desc: '', completed: false }),
    part(3, { type: 'new_task', key: 1, task: 'dry', desc: 'again', completed: false }),
    part(3, { type: 'strike', key: '0,canned' }),
    part(3, { type: 'strike', key: '1,2' }),
    part(3, { type: 'strike', key: '1,2' }),
    part(1, { type: 'new_task_list_title', title: 'Chores' }),
  ]
  t.same(widgetOf(parts), {
    tasks: {
      title: 'Chores',
      tasks: [
        { key: '0,canned', task: 'wash', desc: 'x', isDone: true },
        { key: '1,2', task: 'dry', desc: '', isDone: false },
      ],
    },
  })
})

t.test('what is no widget that the page shows', async t => {
  for (const parts of [[], [part(1, 'no JSON')], [part(1, 'null')], [part(1, { widget_type: 'zform' })]]) {
    t.equal(widgetOf(parts), undefined)
  }
  t.same(widgetOf([part(1, { widget_type: 'poll', extra_data: null })]), { poll: { question: '', options: [] } })
})
