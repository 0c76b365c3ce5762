import t from 'tap'

t.test('an unhandled rejection', async t => {
  t.ok(true)
  void Promise.reject(new Error('lost'))
  await new Promise(resolve => setImmediate(resolve))
})
