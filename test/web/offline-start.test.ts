import t from 'tap'
import { startServer } from '../support/server.js'
import { launchBrowser, needsBrowser, openWindow } from './support/browser.js'

// Caches of earlier versions of the page, and one that is not the page's.
const earlier = `if (!sessionStorage.begun) {
  sessionStorage.begun = 'yes'
  for (const name of ['parley-page-1', 'parley-page-2', 'other'])
    caches.open(name).then(cache => cache.put('/assets/old.js', new Response('old')))
}`
const oldIsGone = `(async () => {
  while (await caches.has('parley-page-1')) await new Promise(done => setTimeout(done, 30))
})()`
const kept = `(async () => {
  const paths = []
  for (const name of await caches.keys())
    if (name.startsWith('parley-page-') && name.length > 20)
      for (const request of await (await caches.open(name)).keys()) paths.push(new URL(request.url).pathname)
  return paths
})()`

t.test('the page starts without a connection', needsBrowser, async t => {
  const server = await startServer(t)
  const ada = await server.person({ full_name: 'Ada Lovelace' })
  await ada.ok('POST', '/messages', { type: 'direct', to: [ada.id], content: 'a secret' })
  const browser = await launchBrowser(t)
  const { page, wrongs } = await openWindow(browser, server.url, ada, { serviceWorkers: 'allow' })
  await page.evaluate(earlier)
  await page.goto(`${server.url}/#direct/${ada.id}`)
  await page.getByText('a secret').waitFor()
  await page.evaluate('navigator.serviceWorker.ready')
  await page.evaluate(oldIsGone)
  t.same(
    (await page.evaluate<string[]>('caches.keys()')).filter(name => name.length < 20),
    ['parley-page-2', 'other'],
    'the version before this one stays, for windows that were loaded with it',
  )

  await page.reload()
  await page.getByText('a secret').waitFor()
  t.ok(await page.evaluate('navigator.serviceWorker.controller !== null'))
  t.equal(await page.evaluate(`fetch('/assets/old.js').then(answer => answer.text())`), 'old')
  t.equal(await page.evaluate(`fetch('/api/v1/server_settings').then(answer => answer.status)`), 200)
  const paths = await page.evaluate<string[]>(kept)
  t.ok(paths.length > 10)
  t.same(
    paths.filter(
      path => !/^\/(?:assets\/[\w-]+\.(?:js|css)|favicon\.svg|manifest\.webmanifest|icons\/.*)?$/.test(path),
    ),
    [],
    'no answer of the API and no uploaded file is kept',
  )

  await server.stop()
  await page.reload()
  await page.getByText('Not connected: you see the state of').waitFor()
  await page.getByText('a secret').waitFor()
  await page.goto(`${server.url}/status`).then(
    () => t.fail('another page of the server is not kept'),
    () => undefined,
  )
  t.same(
    wrongs.filter(wrong => !wrong.startsWith('loaded again')),
    [],
  )
})

t.test('an installed page has a name and icons that exist', async t => {
  const server = await startServer(t)
  const manifest = (await (await fetch(`${server.url}/manifest.webmanifest`)).json()) as { icons: { src: string }[] }
  t.match(manifest, { name: 'Parley', start_url: '/', display: 'standalone' })
  for (const { src } of manifest.icons) t.equal((await fetch(server.url + src)).status, 200, src)
  const worker = await fetch(`${server.url}/service-worker.js`)
  t.equal(worker.headers.get('cache-control'), 'no-cache')
  for (const [, path = ''] of (await worker.text()).matchAll(/"(\/[^"]*\.\w+)"/g))
    t.equal((await fetch(server.url + path)).status, 200, path)
})
