import t from 'tap'

t.test('sums', async t => {
  t.equal(1 + 1, 2)
  t.equal(1 + 1, 3)
})
