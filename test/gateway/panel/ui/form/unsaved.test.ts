import t from 'tap';

/** As much of the browser's window as the guard needs. */
class FakeWindow extends EventTarget {
  location = { href: 'https://panel.example/ui/servers/demo/settings' };
  asked: string[] = [];
  mayLeave = false;
  pushed: string[] = [];
  history = { pushState: (_state: unknown, _title: string, address: string) => void this.pushed.push(address) };

  confirm(question: string): boolean {
    this.asked.push(question);
    return this.mayLeave;
  }
}

const window = new FakeWindow();
t.intercept(globalThis, 'window', { value: window, configurable: true });
const { holdUnsaved, mayLeave } = await import('../../../../../gateway/panel/src/ui/form/unsaved.ts');

/** Fires a cancelable event. Returns whether later listeners ran, and whether its default was prevented. */
function fire(type: string): { goesOn: boolean; prevented: boolean } {
  let goesOn = false;
  const listener = () => {
    goesOn = true;
  };
  window.addEventListener(type, listener);
  const event = new Event(type, { cancelable: true });
  window.dispatchEvent(event);
  window.removeEventListener(type, listener);
  return { goesOn, prevented: event.defaultPrevented };
}

t.beforeEach(() => {
  window.asked = [];
  window.pushed = [];
});

t.test('without changes nothing asks', (t) => {
  t.ok(mayLeave());
  t.same(fire('popstate'), { goesOn: true, prevented: false });
  t.same(fire('beforeunload'), { goesOn: true, prevented: false });
  t.same(window.asked, []);
  t.end();
});

t.test('with changes the user is asked, until they are saved', (t) => {
  const release = holdUnsaved('Leave?');
  window.mayLeave = false;
  t.notOk(mayLeave());
  window.mayLeave = true;
  t.ok(mayLeave());
  t.same(window.asked, ['Leave?', 'Leave?']);
  release();
  t.ok(mayLeave());
  t.equal(window.asked.length, 2);
  t.end();
});

t.test('a user who stays after Back gets the address back, and the router sees nothing', (t) => {
  const address = window.location.href;
  const release = holdUnsaved('Leave?');
  window.location = { href: 'https://panel.example/ui/' };
  window.mayLeave = false;
  t.same(fire('popstate'), { goesOn: false, prevented: false });
  t.same(window.pushed, [address]);
  window.mayLeave = true;
  t.ok(fire('popstate').goesOn);
  t.equal(window.pushed.length, 1);
  release();
  t.end();
});

t.test('closing the tab asks in the words of the browser', (t) => {
  const release = holdUnsaved('Leave?');
  t.ok(fire('beforeunload').prevented);
  t.same(window.asked, []);
  release();
  t.end();
});
