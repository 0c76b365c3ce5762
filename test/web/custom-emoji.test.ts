import t from 'tap'
import { animation } from '../api/emoji/scene.js'
import { groupId, setOrganization } from '../support/organization.js'
import { messageWith, needsBrowser, openWindow, write } from './support/browser.js'
import { leaveSettings } from './support/settings.js'
import { twoWindows } from './support/two-windows.js'

t.test('custom emoji', needsBrowser, async t => {
  const { server, browser, url, mary, hers, other } = await twoWindows(t)
  const gif = { name: 'llama.gif', mimeType: 'image/gif', buffer: Buffer.from(await animation(80, 40, 3)) }
  const dialogOf = async ({ page }: typeof hers) => {
    await page.getByLabel('Your menu').click()
    await page.getByRole('button', { name: 'Custom emoji' }).click()
    const dialog = page.getByRole('main', { name: 'Custom emoji' })
    await dialog.waitFor()
    return dialog
  }
  const widthOf = (image: ReturnType<typeof messageWith>): Promise<number> =>
    image.evaluate(async element => {
      const picture = element as unknown as { decode(): Promise<void>; naturalWidth: number }
      await picture.decode()
      return picture.naturalWidth
    })

  await t.test('one window adds an emoji, and both use it in the picker, reactions and text', async t => {
    const { page } = hers
    const dialog = await dialogOf(hers)
    await dialog.getByLabel('Name').fill('Shout')
    await dialog.getByLabel('Picture').setInputFiles({ ...gif, name: 'a.svg', buffer: Buffer.from('<svg/>') })
    await dialog.getByText('a.svg').waitFor()
    await dialog.getByRole('button', { name: 'Add emoji' }).click()
    await dialog
      .getByRole('alert')
      .getByText(/lowercase/)
      .waitFor()
    await dialog.getByLabel('Name').fill('party_lamb')
    await dialog.getByRole('button', { name: 'Add emoji' }).click()
    await dialog.getByRole('alert').getByText(/image/).waitFor()
    await dialog.getByLabel('Picture').setInputFiles(gif)
    await dialog.getByRole('button', { name: 'Add emoji' }).click()
    await dialog.getByText(':party_lamb:').waitFor()
    t.equal(await dialog.getByRole('alert').count(), 0)
    await dialog.getByText('Choose a picture').waitFor()
    t.equal(await widthOf(dialog.locator('img')), 64)
    await leaveSettings(page)

    const seen = messageWith(other.page, 'the first one')
    await seen.hover()
    await seen.getByLabel('React with another emoji').click()
    const picker = other.page.getByRole('dialog', { name: 'Emoji', exact: true })
    await picker.getByText('This organization').waitFor()
    await picker.getByLabel('Search emoji').fill('lamb')
    await picker.getByLabel('party lamb').click()
    const reaction = messageWith(page, 'the first one').getByRole('button', { name: /^party lamb, 1/ })
    t.equal(await widthOf(reaction.locator('img')), 64)

    await page.locator('.composer-text').pressSequentially('look :party_la')
    const offer = page.getByRole('option', { name: /party_lamb/ })
    await offer.locator('img').waitFor()
    await page.locator('.composer-text').press('Enter')
    t.equal(await page.locator('.composer-text').inputValue(), 'look :party_lamb: ')
    await page.locator('.composer-text').press('Enter')
    t.equal(await widthOf(messageWith(other.page, 'look').locator('.content img.emoji')), 64)
  })

  await t.test('only its author and administrators remove it; messages keep it', async t => {
    const strange = await dialogOf(other)
    await strange.getByText('added by Ada Lovelace').waitFor()
    t.equal(await strange.getByRole('button', { name: 'Remove party_lamb' }).count(), 0)
    const dialog = await dialogOf(hers)
    await dialog.getByRole('button', { name: 'Remove party_lamb' }).click()
    await dialog.getByText('There are none yet.').waitFor()
    await strange.getByText('There are none yet.').waitFor()
    await leaveSettings(hers.page)
    await leaveSettings(other.page)
    t.equal(await widthOf(messageWith(other.page, 'the first one').locator('.reaction img')), 64)
    await write(other.page, 'no :party_lamb: now')
    await messageWith(hers.page, 'no :party_lamb: now').waitFor()
  })

  await t.test('who may not add one has no form', async t => {
    await setOrganization(server.sql, { can_add_custom_emoji_group: await groupId(server.sql, 'role:administrators') })
    await server.ctx.directory.fresh()
    const grace = await openWindow(browser, url, await server.person({ role: 200 }))
    const late = await openWindow(browser, url, mary)
    const dialog = await dialogOf(late)
    await dialog.getByText('There are none yet.').waitFor()
    t.equal(await dialog.getByRole('button', { name: 'Add emoji' }).count(), 0)
    await (await dialogOf(grace)).getByRole('button', { name: 'Add emoji' }).waitFor()
    t.same([...hers.wrongs, ...other.wrongs, ...grace.wrongs, ...late.wrongs], [])
  })
})
