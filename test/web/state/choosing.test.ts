import t from 'tap'
import { createChoosing } from '../../../server/web/chat/choosing.js'
import { lineStep, nextChoice } from '../../../server/web/state/choice.js'

const down = { key: 'ArrowDown' }
const up = { key: 'ArrowUp' }

t.test('arrow keys go round the suggestions', async t => {
  t.same(
    [0, 1, 2].map(at => nextChoice(at, 1, 3, 0)),
    [1, 2, 0],
  )
  t.same(
    [0, 1, 2].map(at => nextChoice(at, -1, 3, 0)),
    [2, 0, 1],
  )
})

t.test('where nothing may be chosen, they also go to the text itself', async t => {
  t.same(
    [-1, 0, 1, 2].map(at => nextChoice(at, 1, 3, -1)),
    [0, 1, 2, -1],
  )
  t.same(
    [-1, 0, 1, 2].map(at => nextChoice(at, -1, 3, -1)),
    [2, -1, 0, 1],
  )
})

t.test('without suggestions the choice stays where it begins', async t => {
  for (const by of [1, -1] as const) {
    t.equal(nextChoice(-1, by, 0, -1), -1)
    t.equal(nextChoice(0, by, 0, 0), 0)
  }
})

t.test('only the keys of the arrows along a column are steps', async t => {
  t.same(['ArrowDown', 'ArrowUp', 'ArrowLeft', 'ArrowRight', 'Tab', 'j'].map(lineStep), [
    1,
    -1,
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})

t.test('a list begins with the first suggestion, or with none', async t => {
  const offers = () => ['tea', 'toast']
  t.equal(createChoosing(offers, 0).chosen(), 'tea')
  t.equal(createChoosing(offers, -1).chosen(), undefined)
})

t.test('a step chooses, and says that the key has been used', async t => {
  const choosing = createChoosing(() => ['tea', 'toast'], -1)
  t.equal(choosing.step(down), true)
  t.equal(choosing.chosen(), 'tea')
  t.equal(choosing.step(up), true)
  t.equal(choosing.chosen(), undefined)
  t.equal(choosing.step({ key: 'Enter' }), false)
  t.equal(choosing.at(), -1)
})

t.test('only arrow keys bring the chosen suggestion into sight', async t => {
  const choosing = createChoosing(() => ['tea', 'toast', 'soup'], 0)
  choosing.choose(2)
  t.equal(choosing.stepped(), 0)
  choosing.step(up)
  t.equal(choosing.stepped(), 1)
})

t.test('a list without suggestions leaves the arrow keys to the text box', async t => {
  const choosing = createChoosing<string>(() => [], 0)
  t.equal(choosing.step(down), false)
  t.equal(choosing.chosen(), undefined)
})

t.test('suggestions that are gone are not chosen', async t => {
  let offers = ['tea', 'toast']
  const choosing = createChoosing(() => offers, 0)
  choosing.step(down)
  offers = ['tea']
  t.equal(choosing.chosen(), undefined)
})
