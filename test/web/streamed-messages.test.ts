// A message that grows in the page: its text as it comes, the button that stops it, and its rendering at the end.
import t from 'tap'
import type { Person } from '../support/people.js'
import { needsBrowser, openWindow } from './support/browser.js'
import { twoWindows } from './support/two-windows.js'

t.test('messages that grow', needsBrowser, async t => {
  const { browser, url, ada, mary, hers, other } = await twoWindows(t)
  const channel = Number(/channel\/(\d+)/.exec(url)?.[1])
  const begin = async (content: string): Promise<number> =>
    (await ada.ok('POST', '/messages', { type: 'channel', to: channel, topic: 'notes', content, streamed: true })).id
  const append = (who: Person, id: number, position: number, text: string) =>
    who.ok('POST', `/messages/${id}/text`, { position, text })

  await t.test('the text comes as it is written, and is rendered at the end', async t => {
    const id = await begin('The **ans')
    const [own, seen] = [hers, other].map(({ page }) => page.locator(`[data-message-id="${id}"]`))
    await seen?.getByText('The **ans').waitFor()
    await append(ada, id, 9, 'wer** is\n\n- 42')
    await own?.getByText('The **answer** is').waitFor()
    await seen?.getByText('The **answer** is').waitFor()
    const late = await openWindow(browser, url, mary)
    await late.page.locator(`[data-message-id="${id}"]`).waitFor()
    await append(ada, id, 23, ', or so')
    await late.page.locator(`[data-message-id="${id}"]`).getByText('- 42, or so').waitFor()
    await ada.ok('POST', `/messages/${id}/end`)
    for (const { page } of [hers, other, late]) {
      await page.locator(`[data-message-id="${id}"]`).getByRole('listitem').getByText('42, or so').waitFor()
      t.equal(await page.getByRole('button', { name: 'Stop writing' }).count(), 0)
      t.equal(await page.locator(`[data-message-id="${id}"] .edited`).count(), 0)
    }
    t.same(late.wrongs, [])
  })

  await t.test('a reader stops it', async t => {
    const id = await begin('Once upon')
    await append(ada, id, 9, ' a time')
    const seen = other.page.locator(`[data-message-id="${id}"]`)
    await seen.getByRole('button', { name: 'Stop writing' }).click()
    await seen.getByRole('paragraph').getByText('Once upon a time').waitFor()
    const { status, body } = await ada.post(`/messages/${id}/text`, { position: 16, text: '!' })
    t.match([status, body], [400, { code: 'MESSAGE_NOT_GROWING', reason: 'stopped' }])
    await hers.page.locator(`[data-message-id="${id}"]`).getByRole('paragraph').getByText('Once upon a time').waitFor()
    t.same([...hers.wrongs, ...other.wrongs], [])
  })
})
