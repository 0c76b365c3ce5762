import { type JSX, Show } from 'solid-js'
import { Icon, type IconName } from '../../look/icon.js'
import type { Theme } from '../../look/theme.js'
import { personOf } from '../../state/people.js'
import { Avatar } from '../avatar.js'
import { useChat } from '../chat.js'
import { Menu } from '../menu.js'
import { nameOf } from '../names.js'
import { useTheme } from '../theme-context.js'
import { useView } from '../view.js'

const themes: readonly { theme: Theme; icon: IconName; title: string }[] = [
  { theme: 'system', icon: 'screen', title: 'As the system' },
  { theme: 'light', icon: 'sun', title: 'Light' },
  { theme: 'dark', icon: 'moon', title: 'Dark' },
]

/** The user's menu: theme, keyboard shortcuts, sign-out. */
export function OwnMenu(): JSX.Element {
  const chat = useChat()
  const view = useView()
  const { theme, setTheme } = useTheme()
  const isAdmin = () => (personOf(chat.state, chat.state.user_id)?.role ?? 600) <= 200
  return (
    <Menu label="Your menu" buttonClass="own-button" button={<Avatar userId={chat.state.user_id} hasPresence />}>
      {close => (
        <>
          <p class="menu-head">
            <strong>{nameOf(chat.state, chat.state.user_id)}</strong>
            <span>{chat.session.email}</span>
          </p>
          <fieldset class="theme-switch">
            <legend class="unseen">Colours</legend>
            {themes.map(one => (
              <button
                type="button"
                class="icon-button"
                title={one.title}
                aria-label={one.title}
                aria-pressed={theme() === one.theme}
                onClick={() => setTheme(one.theme)}
              >
                <Icon name={one.icon} />
              </button>
            ))}
          </fieldset>
          <button
            type="button"
            class="menu-row"
            onClick={() => {
              close()
              view.open('status')
            }}
          >
            <Icon name="smile" /> Your status
          </button>
          <button
            type="button"
            class="menu-row"
            onClick={() => {
              close()
              view.open('avatar')
            }}
          >
            <Icon name="edit" /> Your picture
          </button>
          <button
            type="button"
            class="menu-row"
            onClick={() => {
              close()
              view.open('keys')
            }}
          >
            <Icon name="keys" /> Keyboard
          </button>
          <button
            type="button"
            class="menu-row"
            onClick={() => {
              close()
              view.open('emoji')
            }}
          >
            <Icon name="smile" /> Custom emoji
          </button>
          <Show when={isAdmin()}>
            <a class="menu-row" href="/status">
              <Icon name="bell" /> Server status
            </a>
          </Show>
          <button type="button" class="menu-row" onClick={() => chat.signOut()}>
            <Icon name="out" /> Sign out
          </button>
        </>
      )}
    </Menu>
  )
}
