import t from 'tap'

t.test('the process ends early', async t => {
  t.ok(true)
  process.exit(0)
})
