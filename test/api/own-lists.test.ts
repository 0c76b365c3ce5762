import t from 'tap'
import type { Params } from '../support/http.js'
import { startServer } from '../support/server.js'

const server = await startServer(t)

// All that an account keeps comes with each register answer: it must not be without end.
const kinds: Readonly<Record<string, { path: string; params: Params; fill(userId: number): Promise<unknown> }>> = {
  'saved snippets': {
    path: '/saved_snippets',
    params: { title: 'x', content: 'x' },
    fill: userId => server.sql`
      insert into saved_snippets (user_id, title, content)
      select ${userId}, 'x', 'x' from generate_series(1, 999)`,
  },
  'navigation views': {
    path: '/navigation_views',
    params: { is_pinned: true },
    fill: userId => server.sql`
      insert into navigation_views (user_id, fragment, is_pinned, name)
      select ${userId}, 'v' || n, true, 'v' || n from generate_series(1, 999) as n`,
  },
  devices: {
    path: '/register_client_device',
    params: {},
    fill: userId => server.sql`insert into devices (user_id) select ${userId} from generate_series(1, 999)`,
  },
}

for (const [name, { path, params, fill }] of Object.entries(kinds)) {
  t.test(`of ${name} an account has a thousand, also when it asks for two at once`, async t => {
    const [person, other] = [await server.person(), await server.person()]
    await fill(person.id)
    const built = ['inbox', 'recent', 'feed']
    const add = (who: typeof person) => who.post(path, { ...params, fragment: built.pop() ?? 'drafts' })
    const answers = await Promise.all([add(person), add(person), add(person)])
    t.same(answers.map(answer => answer.status).sort(), [200, 400, 400])
    t.match(
      answers.filter(answer => answer.status === 400).map(answer => answer.body.code),
      ['BAD_REQUEST', 'BAD_REQUEST'],
    )
    t.equal((await add(other)).status, 200, 'each has its own')
  })
}
