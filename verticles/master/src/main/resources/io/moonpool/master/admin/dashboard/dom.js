// Builds elements. Text is only ever set as text: whatever a key or a name contains, it is shown and
// never read as markup.

/** An element; attributes that are functions are listeners, null and false leave one out. */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') {
      element.addEventListener(name, value);
    } else if (value !== null && value !== undefined && value !== false) {
      element.setAttribute(name, value === true ? '' : value);
    }
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/** The element of that id, which the page has. */
export const byId = (id) => document.getElementById(id);

/** Sets a text, and leaves the element alone when it has it: a selection in it survives. */
export function setText(element, text) {
  if (element.textContent !== text) {
    element.textContent = text;
  }
}

/** Sets or takes away an attribute, when that changes something. */
export function setAttribute(element, name, value) {
  if (value === null || value === false) {
    element.removeAttribute(name);
  } else if (element.getAttribute(name) !== String(value)) {
    element.setAttribute(name, value);
  }
}

/**
 * Shows a list: what stays keeps its element, and with it focus and selection.
 *
 * @param create makes {element, update(item)} of an item
 */
export class KeyedList {
  constructor(container, create) {
    this.container = container;
    this.create = create;
    this.rows = new Map();
  }

  show(items, keyOf) {
    const kept = new Set();
    let place = this.container.firstElementChild;
    for (const item of items) {
      const key = keyOf(item);
      kept.add(key);
      let row = this.rows.get(key);
      if (!row) {
        row = this.create(item);
        this.rows.set(key, row);
      }
      row.update(item);
      if (row.element === place) {
        place = place.nextElementSibling;
      } else {
        this.container.insertBefore(row.element, place);
      }
    }
    for (const [key, row] of this.rows) {
      if (!kept.has(key)) {
        row.element.remove();
        this.rows.delete(key);
      }
    }
  }
}
