Feature: Signals

  @beacon.signals.lit @must
  Rule: A stream begins with lit

    Scenario: The first signal
      Given the order "land"
      When a watcher asks for the order
      Then the watcher sees lit, flash "land", dark
      And no exchange of this scenario breaks this rule

  @beacon.signals.watch @must
  Rule: The signals of a stream have one watch

    Scenario: Three signals
      Given the order "land"
      When a watcher asks for the order
      Then the watcher sees lit, flash "land", dark
      And no exchange of this scenario breaks this rule

  @beacon.signals.numbered @must
  Rule: Flashes are numbered

    Scenario: Three flashes
      Given the order "one", "two", "three"
      When a watcher asks for the order
      Then the watcher sees lit, flash "one", flash "two", flash "three", dark
      And no exchange of this scenario breaks this rule

  @beacon.signals.complete @must
  Rule: Every text is flashed

    Scenario: Two texts
      Given the order "land", "ho"
      When a watcher asks for the order
      Then the watcher sees lit, flash "land", flash "ho", dark

  @beacon.signals.dark @must
  Rule: A stream ends with dark

    Scenario: The last signal
      Given the order "land"
      When a watcher asks for the order
      Then the watcher sees lit, flash "land", dark
      And no exchange of this scenario breaks this rule

  @beacon.signals.colour @may @colours
  Rule: Flashes may have a colour

    Scenario: A flash
      Given the order "land"
      When a watcher asks for the order
      Then the watcher sees lit, flash "land", dark
      And no exchange of this scenario breaks this rule
