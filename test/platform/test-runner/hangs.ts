import t from 'tap'

t.test('waits for ever', async () => {
  await new Promise(() => setInterval(() => undefined, 1000))
})
