@snapshot @runtime
Feature: The messages in a snapshot

  @helix.snapshot.messages @must
  Rule: Complete steps are in it

    Scenario: Two steps of three
      Given a run of this script:
        """
        [{"text":"First the dates. "}]
        [{"text":"Then the route. "}]
        [{"text":"Now the hotel."},{"await":"end"}]
        """
      And the run is settled
      When a snapshot of the stream is asked for
      Then the complete messages of the snapshot say "First the dates. Then the route. "

    Scenario: A run that is over
      Given a run of this script:
        """
        [{"text":"First the dates. "}]
        [{"text":"Then the route."}]
        """
      And the run is settled
      When a snapshot of the stream is asked for
      Then the complete messages of the snapshot say "First the dates. Then the route."

  @helix.snapshot.no-partial @must-not
  Rule: What is being written isn't, unless it is asked for

    Scenario: A first step that is being written
      Given a run of this script:
        """
        [{"text":"Let me see."},{"await":"end"}]
        """
      And the run is settled
      When a snapshot of the stream is asked for
      Then no message of the snapshot says "see"

    Scenario: Somebody else asked for it
      Given a run of this script:
        """
        [{"text":"First the dates. "}]
        [{"text":"Let me see."},{"await":"end"}]
        """
      And the run is settled
      And a snapshot of the stream with partial content is asked for
      When a snapshot of the stream is asked for
      Then no message of the snapshot says "see"

    Scenario: It is declined
      Given a run of this script:
        """
        [{"text":"Let me see."},{"await":"end"}]
        """
      And the run is settled
      When a snapshot of the stream without partial content is asked for
      Then no message of the snapshot says "see"

    Scenario: The default form of a snapshot
      Given a run of this script:
        """
        [{"text":"Let me see."},{"await":"end"}]
        """
      And the run is settled
      When a snapshot of the stream is asked for in its default form
      Then a partial message of the snapshot contains "Let me see." where that is its default form

  @helix.snapshot.partial @must
  Rule: Partial content comes last

    Scenario: Asking for a first step that is being written
      Given a run of this script:
        """
        [{"text":"Let me see."},{"await":"end"}]
        """
      And the run is settled
      When a snapshot of the stream with partial content is asked for
      Then the last message of the snapshot is partial and says "Let me see."

    Scenario: A step behind a complete one
      Given a run of this script:
        """
        [{"text":"First the dates. "}]
        [{"text":"Let me see."},{"await":"end"}]
        """
      And the run is settled
      When a snapshot of the stream with partial content is asked for
      Then the last message of the snapshot is partial and says "Let me see."

  @helix.snapshot.partial-parts @must
  Rule: Partial content is text, reasoning and tools

    Scenario: A tool that has ended, one that has failed and one that executes
      Given a run of this script:
        """
        [{"thinking":"Which way?"},{"tool":{"name":"map","arguments":{"to":"Rome"},"result":463}},{"tool":{"name":"toll","arguments":{},"error":"closed"}},{"tool":{"name":"hotel","arguments":{"city":"Rome"},"result":"full","waits":"end"}}]
        """
      And the run is settled
      When a snapshot of the stream with partial content is asked for
      Then the last message of the snapshot has a part with {"type":"reasoning","text":"Which way?"}
      And the last message of the snapshot has a part with {"type":"tool","toolName":"map","state":"completed"}
      And the last message of the snapshot has a part with {"type":"tool","toolName":"toll","state":"error"}
      And the last message of the snapshot has a part with {"type":"tool","toolName":"hotel","state":"executing"}

    Scenario: Text so far
      Given a run of this script:
        """
        [{"text":"Let me see."},{"await":"end"}]
        """
      And the run is settled
      When a snapshot of the stream with partial content is asked for
      Then the last message of the snapshot is partial and says "Let me see."

  @helix.snapshot.text @must
  Rule: The text goes on where the snapshot stops

    Scenario: A page that is opened in the middle of a sentence
      Given a run of this script:
        """
        [{"text":"First the dates. "}]
        [{"text":"Then the route: "},{"await":"more"},{"text":"over the pass. "}]
        [{"text":"Done."}]
        """
      And the run is settled
      And a snapshot of the stream with partial content is asked for
      When barrier "more" is released
      Then the text of the snapshot and of what follows it is "First the dates. Then the route: over the pass. Done."

    Scenario: A page without partial content that is opened in the middle of a sentence
      Given a run of this script:
        """
        [{"text":"First the dates. "}]
        [{"text":"Then the route: "},{"await":"more"},{"text":"over the pass. "}]
        [{"text":"Done."}]
        """
      And the run is settled
      And a snapshot of the stream is asked for
      When barrier "more" is released
      Then the text of the snapshot and of what follows it is "First the dates. Then the route: over the pass. Done."

    Scenario: A page that is opened when it is over
      Given a run of this script:
        """
        [{"text":"First the dates. "}]
        [{"text":"Done."}]
        """
      And the run is settled
      When a snapshot of the stream with partial content is asked for
      Then the text of the snapshot and of what follows it is "First the dates. Done."
