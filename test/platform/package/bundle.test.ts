import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { chromium } from 'playwright-core'
import t, { type Test } from 'tap'
import { build } from 'vite'
import { startServer } from '../../support/server.js'
import { chromiumPath, needsBrowser } from '../../web/support/browser.js'
import { until } from '../../web/support/reading.js'
import { consumer } from './consumer.js'

// The size of the client in a page, in bytes: all of it, with both codecs.
const budget = 30 * 1024
const directory = consumer(t)

/** A page's script, bundled and minified for production. */
async function bundle(name: string, program: string): Promise<string> {
  const entry = join(directory, `${name}.mjs`)
  writeFileSync(entry, program)
  const outDir = join(directory, `bundle-${name}`)
  await build({
    root: directory,
    configFile: false,
    logLevel: 'error',
    build: { outDir, minify: true, lib: { entry, formats: ['es'], fileName: () => 'page.js' } },
  })
  return readFileSync(join(outDir, 'page.js'), 'utf8')
}

const client = await bundle('client', "export * from 'parley-client'")

t.test('the client fits its budget', async t => {
  const bytes = gzipSync(client, { level: 9 }).length
  t.comment(`${bytes} bytes compressed, ${client.length} as such`)
  t.ok(bytes <= budget, `${bytes} of ${budget} bytes`)
  t.match(client, 'chat.v1.', 'it is the client')
  t.notMatch(client, /ZodError|discriminatedUnion|"ZodObject"/, 'no schemas')
  t.notMatch(client, /\bfrom\s*['"]|\brequire\(/, 'nothing is left to be loaded')
})

t.test('what is not used is not there', async t => {
  const one = await bundle('one', "export { RequestError } from 'parley-client'")
  t.ok(gzipSync(one).length < 1024, `${gzipSync(one).length} bytes`)
})

/** Serves one page with the strictest policy that allows a script and a socket. */
async function page(t: Test, script: string, serverUrl: string): Promise<string> {
  const policy = `default-src 'none'; script-src 'self'; connect-src ${serverUrl.replace('http', 'ws')}`
  const server = createServer((request, response) => {
    const isScript = request.url?.startsWith('/page.js')
    response.setHeader('Content-Security-Policy', policy)
    response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html')
    response.end(
      isScript ? script : '<!doctype html><title>Client</title><script type="module" src="/page.js"></script>',
    )
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

t.test('in a browser, under a strict policy', needsBrowser, async t => {
  const script = await bundle(
    'page',
    `
    import { connect } from 'parley-client'
    globalThis.violations = []
    addEventListener('securitypolicyviolation', event => violations.push(event.violatedDirective + ' ' + event.blockedURI))
    globalThis.talk = (options, times) => new Promise((resolve, reject) => {
      const said = []
      const client = connect({ ...options, register: { event_types: ['message'], apply_markdown: false } })
      client.observe('error', reject)
      client.on('message', ({ message }) => {
        said.push(message.content)
        if (said.length === times) client.close().then(() => resolve(said))
      })
      const send = content => client.request('POST', '/messages', { type: 'direct', to: [options.id], content })
      client.registered.then(async () => { for (let i = 0; i < times; i++) await send('message ' + i) }).catch(reject)
    })
    // Not at once: what is evaluated from outside of the page may do more than the page.
    globalThis.tryCode = () => new Promise(resolve => setTimeout(() => {
      try { resolve(new Function('return "allowed"')()) } catch (error) { resolve(error.name) }
    }))
    document.title = 'ready'
    `,
  )
  // The server needs the page's origin, and the page's policy the server's address: so the page's port is reserved
  // first.
  const probe = createServer()
  await new Promise<void>(resolve => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise(resolve => probe.close(resolve))
  const server = await startServer(t, { PORT: String(port), ALLOWED_ORIGINS: 'http://127.0.0.1:1' })
  const address = await page(t, script, server.url)
  await server.stop()
  const again = await startServer(t, { PORT: String(port), ALLOWED_ORIGINS: address }, server.organization)
  const person = await again.person()

  const chrome = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox', '--disable-gpu'] })
  t.teardown(() => chrome.close())
  const tab = await chrome.newPage()
  await tab.goto(address)
  await until(tab, "document.title === 'ready'")
  for (const codec of ['msgpack', 'json']) {
    t.test(`talks ${codec}`, async t => {
      const options = { url: again.url, email: person.email, apiKey: person.api_key, id: person.id, codec }
      // More of a kind than a decoder needs to want code of its own for them.
      const said = await tab.evaluate(`talk(${JSON.stringify(options)}, 20)`)
      t.same(
        said,
        Array.from({ length: 20 }, (_, i) => `message ${i}`),
      )
    })
  }
  t.test('and wants nothing that the policy forbids', async t => {
    t.same(await tab.evaluate('violations'), [])
    t.equal(await tab.evaluate('tryCode()'), 'EvalError', 'it is in force')
  })
})
