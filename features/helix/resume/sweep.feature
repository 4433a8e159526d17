@resume
Feature: Cutting a stream everywhere

  @helix.resume.cycles @must @no-transcript:the-clients-are-cut-side-by-side
  Rule: No cut changes what is read

    Scenario: Cut at every byte of a short stream
      Given a stream that says "é", "😀"
      And the stream has ended
      When a client is cut at every byte
      Then the cuts change nothing of what an uninterrupted read brings

    Scenario Outline: Cut where the seed says in a stream that has <finished>
      Given a stream that holds events 1 to 8
      And writer "B" is opened
      And writer "B" writes events 9 to 16
      And the stream has <finished>
      When 4 clients are cut where the seed says, once or again and again
      Then the cuts change nothing of what an uninterrupted read brings

      Examples:
        | finished |
        | ended    |
        | failed   |

    Scenario: Cut where the seed says in a stream that was paused
      Given a stream that holds events 1 to 3
      And the stream is made paused
      And the stream is made active
      And the writer writes events 4 to 6
      And the stream has ended
      When 3 clients are cut where the seed says, once or again and again
      Then the cuts change nothing of what an uninterrupted read brings

  @helix.resume.complete @must @no-transcript:concurrent-writers
  Rule: Nothing is lost between the replay and what is being written

    Scenario: Coming back while two writers write
      Given a new stream
      And writer "A" is opened
      And writer "B" is opened
      And a client is cut again and again while writers "A" and "B" write 24 events each
      When the stream ends
      Then the cuts change nothing of what an uninterrupted read brings

  @helix.resume.stable @must @no-transcript:the-clients-are-cut-side-by-side
  Rule: What comes again after a cut is what was cut

    Scenario: Cut in text of one, two, three and four bytes a character
      Given a stream that says "aé€😀", "日本語"
      And the stream has ended
      When a client is cut inside every character and behind every line
      Then the cuts change nothing of what an uninterrupted read brings
