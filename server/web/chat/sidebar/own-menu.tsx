import { For, type JSX, Show } from 'solid-js'
import { t } from '../../language/language.js'
import { Icon } from '../../look/icon.js'
import { isAdministrator } from '../../state/permissions.js'
import { Avatar } from '../avatar.js'
import { useChat } from '../chat.js'
import { Menu, MenuRow } from '../menu.js'
import { nameOf } from '../names.js'
import { ownDialogs } from '../own-dialogs.js'
import { signOut } from '../sign-out.js'
import { ThemeSwitch } from '../theme-switch.js'
import { useView } from '../view.js'

const { settings, status, quiet, drafts, files, picture, keys, emoji, groups, organization } = ownDialogs
const rows = [settings, organization, status, quiet, drafts, files, picture, emoji, groups, keys]

/** The user's menu: theme, settings, keyboard shortcuts, sign-out. */
export function OwnMenu(): JSX.Element {
  const chat = useChat()
  const view = useView()
  const isAdmin = () => isAdministrator(chat.state)
  return (
    <Menu
      label={t('ownMenu.label')}
      buttonClass="own-button"
      button={<Avatar userId={chat.state.user_id} hasPresence />}
    >
      {close => (
        <>
          <p class="menu-head">
            <strong dir="auto">{nameOf(chat.state, chat.state.user_id)}</strong>
            <span>{chat.session.email}</span>
          </p>
          <ThemeSwitch />
          <For each={rows}>
            {({ icon, title, open }) => (
              <MenuRow
                icon={icon}
                title={t(title)}
                work={() => {
                  close()
                  open(view)
                }}
              />
            )}
          </For>
          <Show when={isAdmin()}>
            <a class="menu-row" href="/status">
              <Icon name="server" /> {t('ownMenu.server')}
            </a>
          </Show>
          <MenuRow icon="out" title={t('ownMenu.signOut')} work={() => signOut(chat)} />
        </>
      )}
    </Menu>
  )
}
