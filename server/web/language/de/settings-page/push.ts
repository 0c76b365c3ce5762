/** Geräte, die Benachrichtigungen bekommen, während keine Seite offen ist. */
export const push = {
  meaning: 'Diese Geräte zeigen Benachrichtigungen auch, wenn keine Seite offen ist. Nur sie können sie lesen.',
  off: 'Dieser Server schickt keine Benachrichtigungen an Geräte.',
  enable: 'Dieses Gerät benachrichtigen',
  impossible: 'Dieser Browser kann von dieser Adresse keine Benachrichtigungen empfangen.',
  denied: 'Der Browser erlaubt keine Benachrichtigungen dieser Seite.',
  test: 'Testen',
  remove: 'Entfernen',
  thisOne: '(dieses Gerät)',
  failing: '(die letzte Benachrichtigung kam nicht an)',
}
