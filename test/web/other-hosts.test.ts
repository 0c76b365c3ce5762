// Pictures, players and websites of other hosts in the page: the browser asks this server alone.
import sharp from 'sharp'
import t from 'tap'
import { otherHost, toOtherHosts } from '../support/external.js'
import { setOrganization } from '../support/organization.js'
import { startServer } from '../support/server.js'
import { launchBrowser, needsBrowser, openWindow } from './support/browser.js'
import { until } from './support/reading.js'

t.test('pictures and websites of other hosts are shown through this server', needsBrowser, async t => {
  const picture = await sharp({ create: { width: 400, height: 240, channels: 3, background: '#2a7' } })
    .png()
    .toBuffer()
  const host = await otherHost(t, (request, response) => {
    if (request.url?.endsWith('.png')) response.writeHead(200, { 'Content-Type': 'image/png' }).end(picture)
    else
      response
        .writeHead(200, { 'Content-Type': 'text/html' })
        .end(
          '<html><meta property="og:image" content="/i.png"><title>Rain at last</title><p>Farmers and frogs rejoice.</p>',
        )
  })
  const server = await startServer(t, {}, undefined, toOtherHosts())
  await setOrganization(server.sql, { inline_url_embed_preview: true })
  await server.ctx.directory.fresh()
  const reader = await server.person({ full_name: 'Ada Lovelace' })
  const content = `The lake [in spring](${host.at('/lake.png')}), and the news: ${host.at('/news')}`
  await reader.ok('POST', '/messages', { type: 'direct', to: [reader.id], content })
  const { page, wrongs } = await openWindow(await launchBrowser(t), `${server.url}/#direct/${reader.id}`, reader)
  await page.locator('.message_inline_image img[alt="in spring"]').waitFor()
  await page.locator('.message_embed').getByText('Farmers and frogs rejoice.').waitFor()
  const isLoaded =
    "[...document.querySelectorAll('.content img')].every(one => one.complete && one.naturalWidth === 400)"
  await until(page, isLoaded)
  t.equal(await page.locator('.message_embed a.message_embed_image img').count(), 1)
  if (process.env.PICTURE) await page.screenshot({ path: process.env.PICTURE })
  t.same(wrongs, [])
})
