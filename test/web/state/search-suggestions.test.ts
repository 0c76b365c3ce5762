import t from 'tap'
import { nextChoice } from '../../../server/web/state/search-suggestions.js'

t.test('keys go round the suggestions and the text itself', async t => {
  const down = [-1, 0, 1, 2].map(at => nextChoice(at, 1, 3))
  t.same(down, [0, 1, 2, -1])
  const up = [-1, 0, 1, 2].map(at => nextChoice(at, -1, 3))
  t.same(up, [2, -1, 0, 1])
})

t.test('without suggestions nothing is chosen', async t => {
  t.equal(nextChoice(-1, 1, 0), -1)
  t.equal(nextChoice(-1, -1, 0), -1)
})
