import type { Locator, Page } from 'playwright-core'

/** Opens a section of the user's settings, or of the organization; from the chat or from another section. */
export async function openSection(
  page: Page,
  section: string,
  use: (target: Locator) => Promise<unknown> = target => target.click(),
  about: 'Settings' | 'Organization' = 'Settings',
): Promise<Locator> {
  const list = page.getByRole('navigation', { name: 'Sections' })
  if ((await page.locator('.settings-page').count()) === 0) {
    await use(page.getByLabel('Your menu'))
    await use(page.getByRole('button', { name: about, exact: true }))
  } else if (!(await list.isVisible())) {
    await use(page.getByRole('button', { name: 'Back to the sections' }))
  }
  await use(list.getByRole('link', { name: section, exact: true }))
  const opened = page.getByRole('main', { name: section, exact: true })
  await opened.waitFor()
  return opened
}

/** Back to the chat, on a phone by way of the list of sections. */
export async function leaveSettings(
  page: Page,
  use: (target: Locator) => Promise<unknown> = target => target.click(),
): Promise<void> {
  const [leave, toList] = ['Back to the chat', 'Back to the sections'].map(name => page.getByRole('button', { name }))
  if (leave && toList) {
    await leave.or(toList).first().waitFor()
    if (await toList.isVisible()) await use(toList)
    await use(leave)
  }
  await page.locator('.settings-page').waitFor({ state: 'detached' })
}
