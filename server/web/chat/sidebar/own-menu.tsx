import { type JSX, Show } from 'solid-js'
import { Icon } from '../../look/icon.js'
import { isAdministrator } from '../../state/permissions.js'
import { Avatar } from '../avatar.js'
import { useChat } from '../chat.js'
import { Menu } from '../menu.js'
import { nameOf } from '../names.js'
import { ThemeSwitch } from '../theme-switch.js'
import { useView } from '../view.js'

/** The user's menu: theme, settings, keyboard shortcuts, sign-out. */
export function OwnMenu(): JSX.Element {
  const chat = useChat()
  const view = useView()
  const isAdmin = () => isAdministrator(chat.state)
  return (
    <Menu label="Your menu" buttonClass="own-button" button={<Avatar userId={chat.state.user_id} hasPresence />}>
      {close => (
        <>
          <p class="menu-head">
            <strong>{nameOf(chat.state, chat.state.user_id)}</strong>
            <span>{chat.session.email}</span>
          </p>
          <ThemeSwitch />
          <button
            type="button"
            class="menu-row"
            onClick={() => {
              close()
              view.open('settings')
            }}
          >
            <Icon name="sliders" /> Settings
          </button>
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
              view.open('drafts')
            }}
          >
            <Icon name="edit" /> Drafts
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
            <button
              type="button"
              class="menu-row"
              onClick={() => {
                close()
                view.open('organization')
              }}
            >
              <Icon name="star" /> Icon and logo
            </button>
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
