Feature: Progress

  @merlin.progress.created @must @progress
  Rule: A new step is sent

    @v1
    Scenario: A new step in version 1
      When a client requests a V1 stream of:
        """
        the event manager has the version 1
        the application creates the step "Search"
        the application ends the step "Search"
        """
      Then the stream sends:
        """
        step {"id": "$a", "status": "IN_PROGRESS"}
        step {"id": "$a", "status": "DONE"}
        """

    @v2
    Scenario: A new step in version 2
      When a client requests a V2 stream of:
        """
        the event manager has the version 2
        the application creates the step "Search"
        the application ends the step "Search"
        """
      Then the stream sends:
        """
        step {"id": "$a", "status": "IN_PROGRESS"}
        step {"id": "$a", "status": "DONE"}
        """

  @merlin.progress.members @must @progress
  Rule: A step has its members

    @v1
    Scenario: The members of a step in version 1
      When a client requests a V1 stream of:
        """
        the event manager has the version 1
        the application creates the step "Search" with the icon GLOBE
        the application ends the step "Search"
        """
      Then the stream sends:
        """
        step {}
        step {}
        """
      And no exchange of this scenario breaks this rule

    @v2
    Scenario: The members of a step in version 2
      When a client requests a V2 stream of:
        """
        the event manager has the version 2
        the application creates the step "Search" with the icon GLOBE
        the application ends the step "Search"
        """
      Then the stream sends:
        """
        step {}
        step {}
        """
      And no exchange of this scenario breaks this rule

  @merlin.progress.kept @must @progress
  Rule: A step keeps its name and its icon

    @v1
    Scenario: The name and the icon of a step in version 1
      When a client requests a V1 stream of:
        """
        the event manager has the version 1
        the application creates the step "Search" with the icon GLOBE
        the application adds TEXT "10 results" to the step "Search"
        the application ends the step "Search"
        """
      Then the stream sends:
        """
        step {"name": "Search", "icon": "GLOBE"}
        step {"name": "Search", "icon": "GLOBE"}
        step {"name": "Search", "icon": "GLOBE"}
        """

    @v2
    Scenario: The name and the icon of a step in version 2
      When a client requests a V2 stream of:
        """
        the event manager has the version 2
        the application creates the step "Search" with the icon GLOBE
        the application adds TEXT "10 results" to the step "Search"
        the application ends the step "Search"
        """
      Then the stream sends:
        """
        step {"name": "Search", "icon": "GLOBE"}
        step {"name": "Search", "icon": "GLOBE"}
        step {"name": "Search", "icon": "GLOBE"}
        """

  @merlin.progress.uuid @should @progress
  Rule: The id is a UUID

    @v1
    Scenario: The id of a step in version 1
      When a client requests a V1 stream of:
        """
        the event manager has the version 1
        the application creates the step "Look"
        the application ends the step "Look"
        """
      Then the stream sends:
        """
        step {}
        step {}
        """
      And no exchange of this scenario breaks this rule

    @v2
    Scenario: The id of a step in version 2
      When a client requests a V2 stream of:
        """
        the event manager has the version 2
        the application creates the step "Look"
        the application ends the step "Look"
        """
      Then the stream sends:
        """
        step {}
        step {}
        """
      And no exchange of this scenario breaks this rule

  @merlin.progress.icon @must @progress
  Rule: The default icon

    @v1
    Scenario: A step without an icon in version 1
      When a client requests a V1 stream of:
        """
        the event manager has the version 1
        the application creates the step "Think"
        the application ends the step "Think"
        """
      Then the stream sends:
        """
        step {"icon": "DEFAULT"}
        step {"icon": "DEFAULT"}
        """

    @v2
    Scenario: A step without an icon in version 2
      When a client requests a V2 stream of:
        """
        the event manager has the version 2
        the application creates the step "Think"
        the application ends the step "Think"
        """
      Then the stream sends:
        """
        step {"icon": "DEFAULT"}
        step {"icon": "DEFAULT"}
        """

  @merlin.progress.values @must @progress
  Rule: Values are added

    @v1
    Scenario: Two values of a step in version 1
      When a client requests a V1 stream of:
        """
        the event manager has the version 1
        the application creates the step "Search"
        the application adds TEXT "10 results" to the step "Search"
        the application adds TEXT "3 read", TEXT "7 left" to the step "Search"
        the application ends the step "Search"
        """
      Then the stream sends:
        """
        step {"values": []}
        step {"values": [{"type": "TEXT", "value": "10 results"}]}
        step {"values": [{"type": "TEXT", "value": "10 results"}, {"type": "TEXT", "value": "3 read"}, {"type": "TEXT", "value": "7 left"}]}
        step {"status": "DONE", "values": [{"type": "TEXT", "value": "10 results"}, {"type": "TEXT", "value": "3 read"}, {"type": "TEXT", "value": "7 left"}]}
        """

    @v2
    Scenario: Two values of a step in version 2
      When a client requests a V2 stream of:
        """
        the event manager has the version 2
        the application creates the step "Search"
        the application adds TEXT "10 results" to the step "Search"
        the application adds TEXT "3 read", TEXT "7 left" to the step "Search"
        the application ends the step "Search"
        """
      Then the stream sends:
        """
        step {"values": []}
        step {"values": [{"type": "TEXT", "value": "10 results"}]}
        step {"values": [{"type": "TEXT", "value": "10 results"}, {"type": "TEXT", "value": "3 read"}, {"type": "TEXT", "value": "7 left"}]}
        step {"status": "DONE", "values": [{"type": "TEXT", "value": "10 results"}, {"type": "TEXT", "value": "3 read"}, {"type": "TEXT", "value": "7 left"}]}
        """

  @merlin.progress.done @must @progress
  Rule: A step that ended is done

    @v1
    Scenario: A step of three messages in version 1
      When a client requests a V1 stream of:
        """
        the event manager has the version 1
        the application creates the step "Read"
        the application adds TEXT "a page" to the step "Read"
        the application ends the step "Read"
        """
      Then the stream sends:
        """
        step {"id": "$a", "status": "IN_PROGRESS"}
        step {"id": "$a", "status": "IN_PROGRESS"}
        step {"id": "$a", "status": "DONE"}
        """

    @v2
    Scenario: A step of three messages in version 2
      When a client requests a V2 stream of:
        """
        the event manager has the version 2
        the application creates the step "Read"
        the application adds TEXT "a page" to the step "Read"
        the application ends the step "Read"
        """
      Then the stream sends:
        """
        step {"id": "$a", "status": "IN_PROGRESS"}
        step {"id": "$a", "status": "IN_PROGRESS"}
        step {"id": "$a", "status": "DONE"}
        """

  @merlin.progress.same-step @must-not @progress
  Rule: An id names one step

    @v1
    Scenario: Two steps with ids in version 1
      When a client requests a V1 stream of:
        """
        the event manager has the version 1
        the application creates the step "Search"
        the application creates the step "Read"
        the application ends the step "Search"
        the application ends the step "Read"
        """
      Then the stream sends:
        """
        step {"id": "$a", "name": "Search"}
        step {"id": "$b", "name": "Read"}
        step {"id": "$a", "name": "Search"}
        step {"id": "$b", "name": "Read"}
        """
      And no exchange of this scenario breaks this rule

    @v2
    Scenario: Two steps with ids in version 2
      When a client requests a V2 stream of:
        """
        the event manager has the version 2
        the application creates the step "Search"
        the application creates the step "Read"
        the application ends the step "Search"
        the application ends the step "Read"
        """
      Then the stream sends:
        """
        step {"id": "$a", "name": "Search"}
        step {"id": "$b", "name": "Read"}
        step {"id": "$a", "name": "Search"}
        step {"id": "$b", "name": "Read"}
        """
      And no exchange of this scenario breaks this rule

  @merlin.progress.reopened @must-not @progress
  Rule: What is done stays done

    @v1
    Scenario: A tag for a step that is done in version 1
      When a client requests a V1 stream of:
        """
        the event manager has the version 1
        the application creates the step "Search"
        the application ends the step "Search"
        the application tags the step "Search" with "late"
        """
      Then the stream sends:
        """
        step {"status": "IN_PROGRESS"}
        step {"status": "DONE"}
        step {"status": "DONE"}
        """

    @v2
    Scenario: A tag for a step that is done in version 2
      When a client requests a V2 stream of:
        """
        the event manager has the version 2
        the application creates the step "Search"
        the application ends the step "Search"
        the application tags the step "Search" with "late"
        """
      Then the stream sends:
        """
        step {"status": "IN_PROGRESS"}
        step {"status": "DONE"}
        step {"status": "DONE"}
        """

  @merlin.progress.status @must @progress
  Rule: A step has a status

    @v1
    Scenario: The status of a step in version 1
      When a client requests a V1 stream of:
        """
        the event manager has the version 1
        the application creates the step "Ask"
        the application ends the step "Ask"
        """
      Then the stream sends:
        """
        step {}
        step {}
        """
      And no exchange of this scenario breaks this rule

    @v2
    Scenario: The status of a step in version 2
      When a client requests a V2 stream of:
        """
        the event manager has the version 2
        the application creates the step "Ask"
        the application ends the step "Ask"
        """
      Then the stream sends:
        """
        step {}
        step {}
        """
      And no exchange of this scenario breaks this rule

  @merlin.progress.v1-event @must @progress @v1
  Rule: Version 1 has an event

    Scenario: The event of a step
      When a client requests a V1 stream of:
        """
        the event manager has the version 1
        the application creates the step "Search"
        the application asks for the latest step "Search"
        the application ends the step "Search"
        """
      Then the stream sends INIT_MESSAGE_CONTENT, progress, end
      And no exchange of this scenario breaks this rule

  @merlin.progress.v2-message @must @progress @v2
  Rule: Version 2 has messages

    Scenario: The message of a step
      When a client requests a V2 stream of:
        """
        the event manager has the version 2
        the application creates the step "Search"
        the application tags the step "Search" with "web"
        the application ends the step "Search"
        """
      Then the stream sends:
        """
        message {"type": "progress", "progress": {"steps": {"name": "Search"}}}
        message {"type": "progress", "progress": {"steps": {"name": "Search"}}}
        message {"type": "progress", "progress": {"steps": {"name": "Search"}}}
        """
      And no exchange of this scenario breaks this rule

  @merlin.progress.index @must @progress @v2
  Rule: Steps have the index of the manager

    Scenario: The index of a step
      When a client requests a V2 stream of:
        """
        the event manager has the version 2
        the global index is 6
        the event manager has the index 3
        the application creates the step "Search"
        the model sends the text "a"
        the application ends the step "Search"
        """
      Then the stream sends:
        """
        message {"type": "progress", "index": 3}
        message {"type": "text", "text": "a", "index": 6}
        message {"type": "progress", "index": 3}
        """

  @merlin.progress.heading @must @progress @v1
  Rule: A title comes first

    Scenario: The title of a manager
      When a client requests a V1 stream of:
        """
        the event manager has the version 1
        the application creates the step "Search"
        the application ends the step "Search"
        """
      Then the stream sends:
        """
        progress {"metadata": {"type": "HEADING"}}
        step {"name": "Search"}
        step {"name": "Search"}
        """
      And no exchange of this scenario breaks this rule

  @merlin.progress.tags @must @progress
  Rule: Tags are values

    @v1
    Scenario: Two tags of a step in version 1
      When a client requests a V1 stream of:
        """
        the event manager has the version 1
        the application creates the step "Search"
        the application tags the step "Search" with "web", "news"
        the application ends the step "Search"
        """
      Then the stream sends:
        """
        step {"values": []}
        step {"values": [{"type": "TEXT", "value": "web"}, {"type": "TEXT", "value": "news"}]}
        step {"values": [{"type": "TEXT", "value": "web"}, {"type": "TEXT", "value": "news"}]}
        """

    @v2
    Scenario: Two tags of a step in version 2
      When a client requests a V2 stream of:
        """
        the event manager has the version 2
        the application creates the step "Search"
        the application tags the step "Search" with "web", "news"
        the application ends the step "Search"
        """
      Then the stream sends:
        """
        step {"values": []}
        step {"values": [{"type": "TEXT", "value": "web"}, {"type": "TEXT", "value": "news"}]}
        step {"values": [{"type": "TEXT", "value": "web"}, {"type": "TEXT", "value": "news"}]}
        """

  @merlin.progress.tags-kept @must @progress @v2
  Rule: Tags are kept

    Scenario: The tags of a step
      When a client requests a V2 stream of:
        """
        the event manager has the version 2
        the application creates the step "Search"
        the application tags the step "Search" with "web"
        the application tags the step "Search" with "news"
        the application ends the step "Search"
        """
      Then the stream sends:
        """
        step {"name": "Search"}
        step {"tags": ["web"]}
        step {"tags": ["web", "news"]}
        step {"tags": ["web", "news"]}
        """

  @merlin.progress.latest @must @progress
  Rule: A step of the name goes on

    @v1
    Scenario: A step that goes on in version 1
      When a client requests a V1 stream of:
        """
        the event manager has the version 1
        the application creates the step "Search"
        the application ends the step "Search"
        the application asks for the latest step "Search"
        the application ends the step "Search"
        """
      Then the stream sends:
        """
        step {"id": "$a", "status": "IN_PROGRESS"}
        step {"id": "$a", "status": "DONE"}
        step {"id": "$a", "name": "Search", "status": "IN_PROGRESS"}
        step {"id": "$a", "status": "DONE"}
        """

    @v2
    Scenario: A step that goes on in version 2
      When a client requests a V2 stream of:
        """
        the event manager has the version 2
        the application creates the step "Search"
        the application ends the step "Search"
        the application asks for the latest step "Search"
        the application ends the step "Search"
        """
      Then the stream sends:
        """
        step {"id": "$a", "status": "IN_PROGRESS"}
        step {"id": "$a", "status": "DONE"}
        step {"id": "$a", "name": "Search", "status": "IN_PROGRESS"}
        step {"id": "$a", "status": "DONE"}
        """

  @merlin.progress.latest-new @must @progress
  Rule: A step that isn't there is created

    @v1
    Scenario: A step that is the first of its name in version 1
      When a client requests a V1 stream of:
        """
        the event manager has the version 1
        the application asks for the latest step "Search"
        the application ends the step "Search"
        """
      Then the stream sends:
        """
        step {"id": "$a", "name": "Search", "status": "IN_PROGRESS"}
        step {"id": "$a", "status": "DONE"}
        """

    @v2
    Scenario: A step that is the first of its name in version 2
      When a client requests a V2 stream of:
        """
        the event manager has the version 2
        the application asks for the latest step "Search"
        the application ends the step "Search"
        """
      Then the stream sends:
        """
        step {"id": "$a", "name": "Search", "status": "IN_PROGRESS"}
        step {"id": "$a", "status": "DONE"}
        """

  @merlin.progress.rename @should @progress
  Rule: A new title is sent

    @v1
    Scenario: A new title in version 1
      When a client requests a V1 stream of:
        """
        the event manager has the version 1
        the application creates the step "Search"
        the application names the manager "Research" with the icon BOOK
        the application ends the step "Search"
        """
      Then the stream sends:
        """
        progress {"metadata": {"type": "HEADING"}}
        step {"name": "Search"}
        progress {"payload": {"name": "Research", "icon": "BOOK"}}
        step {"name": "Search"}
        """

    @v2
    Scenario: A new title in version 2
      When a client requests a V2 stream of:
        """
        the event manager has the version 2
        the application creates the step "Search"
        the application names the manager "Research" with the icon BOOK
        the application ends the step "Search"
        """
      Then the stream sends:
        """
        step {"name": "Search"}
        message {"type": "progress", "index": 0, "progress": {"name": "Research", "icon": "BOOK"}}
        step {"name": "Search"}
        """

  @merlin.progress.finished @should @progress
  Rule: Steps are done at the end

    @v1
    Scenario: Two steps and the end in version 1
      When a client requests a V1 stream of:
        """
        the event manager has the version 1
        the application creates the step "Search"
        the application creates the step "Read"
        the application ends the step "Read"
        the application ends the step "Search"
        """
      Then the stream sends:
        """
        step {"name": "Search"}
        step {"name": "Read"}
        step {"name": "Read"}
        step {"name": "Search"}
        """
      And no exchange of this scenario breaks this rule

    @v2
    Scenario: Two steps and the end in version 2
      When a client requests a V2 stream of:
        """
        the event manager has the version 2
        the application creates the step "Search"
        the application creates the step "Read"
        the application ends the step "Read"
        the application ends the step "Search"
        """
      Then the stream sends:
        """
        step {"name": "Search"}
        step {"name": "Read"}
        step {"name": "Read"}
        step {"name": "Search"}
        """
      And no exchange of this scenario breaks this rule

  @merlin.progress.numbered @must @progress @v2
  Rule: Steps are numbered

    Scenario: Three steps with numbers
      When a client requests a V2 stream of:
        """
        the event manager has the version 2
        the application creates the step "a"
        the application creates the step "b"
        the application creates the step "c"
        the application ends the step "a"
        the application ends the step "b"
        the application ends the step "c"
        """
      Then the stream sends:
        """
        step {"name": "a"}
        step {"name": "b"}
        step {"name": "c"}
        step {"name": "a"}
        step {"name": "b"}
        step {"name": "c"}
        """
      And no exchange of this scenario breaks this rule

  @merlin.progress.default-version @must @progress @v1
  Rule: Version 1 is the default

    Scenario: A manager without a version
      When a client requests a V1 stream of:
        """
        the global index is 1
        the application creates the step "Search"
        the application ends the step "Search"
        """
      Then the stream sends:
        """
        progress {"payload": {"id": "$a", "name": "Search"}}
        progress {"payload": {"id": "$a", "name": "Search"}}
        """

  @merlin.progress.no-heading @must-not @progress @v2
  Rule: Version 2 begins with a step

    Scenario: The first message of a manager
      When a client requests a V2 stream of:
        """
        the event manager has the version 2
        the application creates the step "Look"
        the application ends the step "Look"
        """
      Then the stream shows no title
